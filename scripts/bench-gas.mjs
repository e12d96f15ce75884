// The gas table: what a Golem's transactions cost beside what a user would pick instead, measured in the same run, each
// against its bound in V-040. Writes snapshots/ and the section "Gas" of docs/benchmarks.md; `--check` writes nothing and
// fails when a snapshot has moved or a bound is missed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const forge = 'node_modules/@foundry-rs/forge-linux-amd64/bin/forge';
const check = process.argv.includes('--check');
if (!existsSync(forge)) fail('forge is missing; run ./scripts/setup');

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}

/** All contract tests in one run: whoever names rooms to forge has it compile everything anew to find them, which takes longer than
 * the others. What is measured as a whole transaction says so in its contract. */
function runTests() {
  const args = ['test', check ? '--gas-snapshot-check=true' : '--gas-snapshot-emit=true'];
  const done = spawnSync(forge, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.status !== 0) fail(`forge ${args.join(' ')} failed:\n${done.stdout}${done.stderr}`);
  console.log(done.stdout.trimEnd().split('\n').at(-1));
}

/** Runtime and creation code of each contract of the suite, in bytes. `forge build --sizes` takes a contract for a test as
 * soon as a function of it begins with "test", so the artifacts are asked. */
function sizes() {
  const bytes = (code) => (code.object.length - 2) / 2;
  const contracts = ['contracts', 'contracts/adapters'].flatMap((folder) => readdirSync(folder))
    .filter((file) => file.endsWith('.sol')).map((file) => file.slice(0, -4)).sort();
  return Object.fromEntries(contracts.map((name) => [name, JSON.parse(readFileSync(`out/${name}.sol/${name}.json`, 'utf8'))])
    .filter(([, artifact]) => artifact.bytecode.object !== '0x')
    .map(([name, artifact]) => [name, { runtime: bytes(artifact.deployedBytecode), creation: bytes(artifact.bytecode) }]));
}

runTests();
const measured = sizes();
const sizeFile = 'snapshots/sizes.json';
const sizeText = JSON.stringify(measured, null, 2) + '\n';
if (!check) writeFileSync(sizeFile, sizeText);
else if (readFileSync(sizeFile, 'utf8') !== sizeText) fail(`${sizeFile} has moved; run scripts/bench gas and look at the difference`);
for (const [name, size] of Object.entries(measured)) if (size.runtime > 24_576) fail(`${name} has ${size.runtime} bytes of 24,576`);

const ours = JSON.parse(readFileSync('snapshots/V-040.json', 'utf8'));
const peers = JSON.parse(readFileSync('snapshots/peers.json', 'utf8'));
const attacks = JSON.parse(readFileSync('snapshots/attacks.json', 'utf8'));
const n = (value) => Number(value).toLocaleString('en-US');
const usd = (value) => (Number(value) / 1e6).toFixed(2);

const registration = Number(ours['register(53-byte URI)']);
const birth = Number(ours['birth, generation 0, default policy']);
const perEntry = Math.round((Number(ours['birth with 10 list entries']) - birth) / 10);
const rows = [
  ['beat', ours.beat, 35_500, `${n(peers['transfer, ERC-20 (OpenZeppelin)'])} plain ERC-20 transfer`],
  ['spend, not the first of its day', ours.spend, 85_000, `${n(peers['allowance per period: spend'])} least allowance-per-period contract; 82,033 published for a spend-permission manager`],
  ['spend, first of its day', ours['spend, first of the day'], null, `${n(peers['allowance per period: first spend'])} least allowance-per-period contract; 99,801 published`],
  ['kill', ours.kill, 60_000, `${n(peers['transfer, USDC (Circle, proxy)'])} transfer of USDC`],
  ['settle without positions', ours['settle without positions'], 170_000, ''],
  ['birth, generation 0, beside the registration', birth - registration, 350_000, `${n(peers['mint, ERC-721 (OpenZeppelin)'])} mint of an ERC-721`],
  ['birth, each list entry', perEntry, 25_000, ''],
  ['register()', ours['register()'], 109_896, '109,896 ERC-8004 reference (published)'],
  ['register(53-byte URI)', ours['register(53-byte URI)'], 180_688, '180,688 ERC-8004 reference (published)'],
];
const missed = rows.filter(([, gas, bound]) => bound !== null && Number(gas) > bound);

const table = [
  '| transaction | gas | bound (V-040) | | instead |', '|---|---:|---:|---|---|',
  ...rows.map(([name, gas, bound, instead]) =>
    `| ${name} | ${n(gas)} | ${bound === null ? '' : n(bound)} | ${bound === null ? '' : Number(gas) <= bound ? 'met' : 'missed'} | ${instead} |`),
  '', '| yardstick, same run | gas |', '|---|---:|',
  ...Object.entries(peers).map(([name, gas]) => `| ${name} | ${n(gas)} |`),
  '', '| contract | runtime bytes | of 24,576 |', '|---|---:|---:|',
  ...Object.entries(measured).map(([name, size]) => `| ${name} | ${n(size.runtime)} | ${Math.round(size.runtime / 245.76)} % |`),
];
const names = [...new Set(Object.keys(attacks).map((key) => key.replace(/: (lost|bound)$/, '')))];
const losses = ['| attack | lost, USDC | bound, USDC |', '|---|---:|---:|',
  ...names.map((name) => `| ${name} | ${usd(attacks[`${name}: lost`])} | ${usd(attacks[`${name}: bound`])} |`)];

const section = `## Gas

\`scripts/bench gas\` measures whole transactions (21,000 and cold storage included) with Circle's own USDC behind its
proxy, solc ${execFileSync('scripts/solc', ['--version'], { encoding: 'utf8' }).match(/\d+\.\d+\.\d+/)[0]}, optimizer on, Cancun. Published figures are those of deployed contracts; everything else ran beside ours.

${table.join('\n')}

## Attacks

What each attacker of \`test/attack\` ends with, on a vault of 100 USDC of credits and 1,000 of capital with the default
policy unless the test says otherwise, against the part of the stated figure that he went for (V-031).

${losses.join('\n')}
`;
console.log(section);
if (!check) writeSection(section);
if (missed.length) fail(`missed: ${missed.map(([name]) => name).join(', ')}`);

/** Replaces the sections "Gas" and "Attacks" of docs/benchmarks.md, or appends them. */
function writeSection(text) {
  const file = 'docs/benchmarks.md';
  const head = '# Benchmarks\n\nEach table is printed by the command above it, both sides in the same run on the same data.\n';
  const parts = (existsSync(file) ? readFileSync(file, 'utf8') : head).split(/^(?=## )/m)
    .filter((part) => !/^## (Gas|Attacks)\n/.test(part));
  writeFileSync(file, parts.join('').trimEnd() + '\n\n' + text);
}
