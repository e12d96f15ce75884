//! Puts the built page into the program. Where nothing was built there is still a program, which says what to do.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let (dist, out) = (here.join("../../web/dist"), PathBuf::from(env::var("OUT_DIR")?));
    println!("cargo:rerun-if-changed={}", dist.display());
    println!("cargo:rerun-if-changed=build.rs");
    let mut found = Vec::new();
    collect(&dist, &mut found)?;
    found.sort();
    let mut table = String::from("pub(super) static FILES: &[File] = &[\n");
    for (number, path) in found.iter().enumerate() {
        let plain = fs::read(path)?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&plain)?;
        let [plain_file, packed_file] = [out.join(number.to_string()), out.join(format!("{number}.gz"))];
        fs::write(&plain_file, &plain)?;
        fs::write(&packed_file, packed.finish()?)?;
        let name = path.strip_prefix(&dist)?.to_string_lossy().replace('\\', "/");
        writeln!(
            table,
            "File {{ name: {name:?}, plain: include_bytes!({plain_file:?}), packed: include_bytes!({packed_file:?}) }},"
        )?;
    }
    table.push_str("];\n");
    fs::write(out.join("page.rs"), table)?;
    Ok(())
}

/// Every file below a folder; a folder that is not there has none.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.file_name().is_some_and(|name| name != ".stamp") {
            found.push(path);
        }
    }
    Ok(())
}
