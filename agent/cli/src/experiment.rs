//! `bardo experiment`: experiments that were written down before they were run.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, eyre};
use golem_edge::files;
use golem_playbook::Look;
use golem_playbook::prices::{Terms, read};
use golem_primitives::Usdc;
use golem_sim::paired::{PairedTest, pairs_needed};
use golem_sim::programme::{
    Budget, ExperimentFile, PairedEndpoint, Programme, Results, TrialFinding, judge, page, plot, run,
};
use golem_view::{ExperimentLine, ExperimentPage, document, markup};

use crate::screen;
use crate::sim::LIVED_BAR;

/// The most a file of rows may have: some hundred times what the largest experiment so far wrote.
const MOST_BYTES: u64 = 1 << 26;

/// Where registrations are looked for.
pub(crate) const FOLDER: &str = "docs/experiments";
#[derive(Debug, Subcommand)]
pub(crate) enum ExperimentCommand {
    /// List the experiments of a folder: what each asks, and what came of it.
    #[command(after_help = "Example: bardo experiment list")]
    List(ListArguments),
    /// Live the training seeds: how far the arms lie apart from seed to seed, and how many seeds that asks for.
    #[command(after_help = "Example: bardo experiment pilot e1-death\n\n\
        Nothing of it is kept and nothing of it counts: a pilot is for the size that a registration states.")]
    Pilot(RunArguments),
    /// Live the seeds of an experiment that are not lived yet.
    #[command(after_help = "Example: bardo experiment run e1-death --cpu-minutes 10\n\n\
        One row a seed and arm is kept beside the registration as it comes, so a run that is killed goes on with the same\n\
        command. A registration that changed after rows were made of it is refused. The digits are the same on every\n\
        machine, whatever its cores.")]
    Run(RunArguments),
    /// Judge an experiment by its rows: a section of a page, or all of it as JSON, and a plot.
    #[command(after_help = "Example: bardo experiment report e1-death --html e1-death.html")]
    Report(ReportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Where the registrations are.
    #[arg(long, default_value = FOLDER, value_name = "FOLDER")]
    folder: PathBuf,
    /// A JSON array instead of words.
    #[arg(long)]
    json: bool,
}

/// What `run` and `pilot` take.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The experiment, as its file is called.
    name: String,
    /// Where the registrations are.
    #[arg(long, default_value = FOLDER, value_name = "FOLDER")]
    folder: PathBuf,
    /// Seeds lived at once; as many as the machine has cores where it is not said.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Stop after so much processor time; what was lived stays.
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..))]
    cpu_minutes: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The experiment, as its file is called.
    name: String,
    /// Where the registrations are.
    #[arg(long, default_value = FOLDER, value_name = "FOLDER")]
    folder: PathBuf,
    /// Write the plot to this file.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Write the report with its plot as one page to this file; it needs nothing from anywhere.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// The finding as a JSON object instead.
    #[arg(long)]
    json: bool,
}

/// A registration with its rows.
struct Experiment {
    file: ExperimentFile,
    results: Results,
}

impl ExperimentCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::List(arguments) => arguments.run(),
            Self::Pilot(arguments) => arguments.pilot(),
            Self::Run(arguments) => arguments.run(),
            Self::Report(arguments) => arguments.run(),
        }
    }
}

impl Experiment {
    fn read(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(format!("{name}.toml"));
        let shown = path.display();
        let text = std::fs::read_to_string(&path)
            .wrap_err_with(|| format!("cannot read {shown}; `bardo experiment list` says which there are"))?;
        let file = ExperimentFile::read(&text).wrap_err_with(|| format!("{shown} registers nothing"))?;
        if file.name != name {
            bail!("{shown} registers {:?}; call the file like the experiment", file.name);
        }
        // Only a file that is not there has no rows: one that cannot be read must not be written over.
        let rows = match files::read_text(&rows_of(folder, name), MOST_BYTES) {
            Ok(rows) => rows,
            Err(error) if error.is_absent() => String::new(),
            Err(error) => return Err(error.into()),
        };
        let results = Results::read(&rows, &file)?;
        Ok(Self { file, results })
    }

    /// All of a folder, in the order of their names.
    fn all(folder: &Path) -> Result<Vec<Self>> {
        let entries = std::fs::read_dir(folder).wrap_err_with(|| format!("cannot read {}", folder.display()))?;
        let mut names: Vec<String> = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            if path.extension().is_some_and(|extension| extension == "toml") {
                names.extend(stem.map(str::to_owned));
            }
        }
        names.sort();
        names.iter().map(|name| Self::read(folder, name)).collect()
    }

    /// The rows of the file of prices it names.
    fn prices(&self) -> Result<Vec<Look>> {
        let Some(study) = &self.file.lines else { return Ok(Vec::new()) };
        let Some(path) = &study.world.prices else { return Ok(Vec::new()) };
        let text = std::fs::read_to_string(path).wrap_err_with(|| {
            format!(
                "cannot read {path}; scripts/real-prices.py target/real-prices fetches the files that are named here"
            )
        })?;
        let capital = Usdc::whole(study.capital);
        let terms = Terms { fee_ppm: 500, gas: Usdc::from_micros(20_000), liquidity: Usdc::whole(10_000_000), capital };
        Ok(read(&text, &terms).wrap_err_with(|| format!("{path} has no prices"))?.looks)
    }
}

fn rows_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.rows.jsonl"))
}

/// Processor time of this thread, in milliseconds.
fn thread_clock() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000 + u64::try_from(time.tv_nsec).unwrap_or(0) / 1_000_000
}

/// Judges the programme that an experiment belongs to.
fn judged(all: &[Experiment], programme: &str) -> Programme {
    let members = all.iter().filter(|one| one.file.programme == programme);
    let members: Vec<_> = members.map(|one| (&one.file, &one.results)).collect();
    judge(&members)
}

/// What came of one of a folder.
fn finding_of(all: &[Experiment], one: &Experiment) -> Result<TrialFinding> {
    let mut findings = judged(all, &one.file.programme).findings.into_iter();
    let finding = findings.find(|finding| finding.name == one.file.name);
    finding.ok_or_else(|| eyre!("{} is not in its programme", one.file.name))
}

fn line_of(one: &Experiment, finding: &TrialFinding) -> ExperimentLine {
    ExperimentLine {
        name: one.file.name.clone(),
        question: one.file.question.clone(),
        programme: one.file.programme.clone(),
        lived: finding.seeds,
        registered: finding.registered,
        verdict: finding.verdict.name(),
    }
}

/// The experiments of a folder, a line each.
pub(crate) fn lines(folder: &Path) -> Result<Vec<ExperimentLine>> {
    let all = Experiment::all(folder)?;
    all.iter().map(|one| Ok(line_of(one, &finding_of(&all, one)?))).collect()
}

/// One of them with its report.
pub(crate) fn page_of(folder: &Path, name: &str) -> Result<ExperimentPage> {
    let all = Experiment::all(folder)?;
    let one = named(&all, folder, name)?;
    let finding = finding_of(&all, one)?;
    Ok(ExperimentPage { experiment: line_of(one, &finding), report: page(&one.file, &one.results, &finding) })
}

fn named<'a>(all: &'a [Experiment], folder: &Path, name: &str) -> Result<&'a Experiment> {
    let one = all.iter().find(|one| one.file.name == name);
    one.ok_or_else(|| eyre!("no {name}.toml in {}; `bardo experiment list` says which there are", folder.display()))
}

impl ListArguments {
    fn run(self) -> Result<ExitCode> {
        Ok(screen::draw_by(self.json, &lines(&self.folder)?, |lines| {
            for one in lines {
                println!("{:<22} {}", one.name, one.question);
                println!("{:<22} {} of {} seeds, {}", "", one.lived, one.registered, one.verdict);
            }
        }))
    }
}

impl RunArguments {
    fn budget(&self) -> Budget {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Budget { threads: self.threads.map_or(cores, usize::from), clock: thread_clock }
    }

    fn run(self) -> Result<ExitCode> {
        let mut one = Experiment::read(&self.folder, &self.name)?;
        let prices = one.prices()?;
        let seeds: BTreeSet<u64> = one.file.trial_seeds().filter(|seed| !one.results.has(*seed)).collect();
        let path = rows_of(&self.folder, &self.name);
        let cannot = || format!("cannot write {}", path.display());
        // Whole seeds alone, in order: what a killed run left half is lived again.
        files::write_whole(&path, one.results.text(&one.file).as_bytes()).wrap_err_with(cannot)?;
        let mut rows = std::fs::OpenOptions::new().append(true).open(&path).wrap_err_with(cannot)?;
        let bar = screen::bar(seeds.len() as u64, false, LIVED_BAR, "seeds");
        let most = self.cpu_minutes.map(|minutes| u64::from(minutes) * 60_000);
        let (mut spent, mut failed) = (0, None);
        run(&one.file, &seeds, &prices, self.budget(), |lived| {
            let lived = match lived {
                Ok(lived) => lived,
                Err(error) => {
                    failed = Some(eyre::Report::new(error));
                    return ControlFlow::Break(());
                }
            };
            let lines: String = lived.iter().map(Results::line).collect();
            if let Err(error) = rows.write_all(lines.as_bytes()).and_then(|()| rows.flush()) {
                failed = Some(eyre::Report::new(error).wrap_err(cannot()));
                return ControlFlow::Break(());
            }
            spent += lived.iter().map(|row| row.cpu_ms).sum::<u64>();
            one.results.add(lived);
            bar.inc(1);
            if most.is_some_and(|most| spent >= most) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        if let Some(error) = failed {
            return Err(error);
        }
        files::write_whole(&path, one.results.text(&one.file).as_bytes()).wrap_err_with(cannot)?;
        let lived = one.file.trial_seeds().filter(|seed| one.results.has(*seed)).count();
        println!(
            "{}: {lived} of {} seeds lived, {} s of processor time now.",
            self.name,
            one.file.seeds.count,
            spent / 1_000
        );
        match lived as u64 == one.file.seeds.count {
            true => println!("Next: bardo experiment report {}", self.name),
            false => println!("The same command lives the rest."),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn pilot(self) -> Result<ExitCode> {
        let one = Experiment::read(&self.folder, &self.name)?;
        let prices = one.prices()?;
        let seeds: BTreeSet<u64> = one.file.training_seeds().collect();
        let bar = screen::bar(seeds.len() as u64, false, LIVED_BAR, "seeds");
        let (mut results, mut failed) = (Results::default(), None);
        run(&one.file, &seeds, &prices, self.budget(), |lived| match lived {
            Ok(lived) => {
                results.add(lived);
                bar.inc(1);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        bar.finish_and_clear();
        if let Some(error) = failed {
            return Err(error.into());
        }
        self.show_pilot(&one.file, &results)
    }

    fn show_pilot(&self, file: &ExperimentFile, results: &Results) -> Result<ExitCode> {
        for arm in file.arms() {
            let of_arm = results.rows.iter().filter(|row| row.arm == arm);
            let (count, spent) = of_arm.fold((0, 0), |(count, spent), row| (count + 1, spent + row.cpu_ms));
            println!("{arm}: {} ms a seed", spent / u64::max(count, 1));
            for (measure, _) in file.measures() {
                let sample: Vec<f64> = results.of(arm, measure).collect();
                if let Some(test) = PairedTest::of(&sample) {
                    println!("  {measure:<16} {:>10.3} [{:.3}, {:.3}]", test.mean, test.low, test.high);
                }
            }
        }
        let mut widest: f64 = 0.0;
        for PairedEndpoint { measure, arm, less, .. } in file.primary.pairs() {
            let differences: Vec<f64> =
                results.of(&arm, &measure).zip(results.of(&less, &measure)).map(|(one, less)| one - less).collect();
            let Some(test) = PairedTest::of(&differences) else { bail!("two training seeds at least are needed") };
            println!("\n{measure} of {arm} less {less}: deviation of the pairs {:.4}", test.deviation);
            widest = widest.max(test.deviation);
        }
        let needed = pairs_needed(file.size.smallest_effect, widest, file.level(), 0.8);
        println!(
            "{needed} seeds find {} with a power of 0.8 at a level of {:.4}",
            file.size.smallest_effect,
            file.level()
        );
        let seeds = file.seeds.training_count.max(1) as f64;
        println!("processor time: {:.2} s a seed", results.cpu_seconds() / seeds);
        Ok(ExitCode::SUCCESS)
    }
}

impl ReportArguments {
    fn run(self) -> Result<ExitCode> {
        let all = Experiment::all(&self.folder)?;
        let one = named(&all, &self.folder, &self.name)?;
        let finding = finding_of(&all, one)?;
        if let Some(path) = &self.svg {
            std::fs::write(path, plot(&one.file, &finding))
                .wrap_err_with(|| format!("cannot write the plot to {}", path.display()))?;
        }
        let report = page(&one.file, &one.results, &finding);
        if let Some(path) = &self.html {
            let drawn = format!("<figure>{}</figure>\n{}", plot(&one.file, &finding), markup(&report));
            std::fs::write(path, document(&format!("Experiment {}", one.file.name), &drawn))
                .wrap_err_with(|| format!("cannot write the page to {}", path.display()))?;
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&finding)?);
        } else {
            print!("{report}");
        }
        Ok(ExitCode::SUCCESS)
    }
}
