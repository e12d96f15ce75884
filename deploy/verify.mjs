// Proves that what stands on a chain was built from this source, and hands the source to explorers (L-026).
//   node deploy/verify.mjs code <rpc url> [addresses.json]       runtime code and wiring of every contract of the suite
//   node deploy/verify.mjs inputs [--recompile] [folder]         standard-JSON input of each contract, into deploy/verify/
//   node deploy/verify.mjs publish <etherscan|blockscout|sourcify> <addresses.json> [--print]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));
const FORGE = 'node_modules/@foundry-rs/forge-linux-amd64/bin/forge';

// Field of the address file, contract, and whether its constructor takes the suite.
const CONTRACTS = [
  ['suiteDeployer', 'SuiteDeployer', 'contracts/SuiteDeployer.sol', false],
  ['identityRegistry', 'IdentityRegistry', 'contracts/IdentityRegistry.sol', false],
  ['lineageRegistry', 'LineageRegistry', 'contracts/LineageRegistry.sol', true],
  ['birth', 'Birth', 'contracts/Birth.sol', true],
  ['succession', 'Succession', 'contracts/Succession.sol', true],
  ['vault', 'Vault', 'contracts/Vault.sol', true],
  ['vaultOwner', 'VaultOwner', 'contracts/VaultOwner.sol', true],
  ['vaultTrading', 'VaultTrading', 'contracts/VaultTrading.sol', true],
  ['vaultLiquidity', 'VaultLiquidity', 'contracts/VaultLiquidity.sol', true],
  ['vaultDeath', 'VaultDeath', 'contracts/VaultDeath.sol', true],
  ['swapAdapter', 'UniswapV3SwapAdapter', 'contracts/adapters/UniswapV3SwapAdapter.sol', true],
  ['positionAdapter', 'UniswapV3PositionAdapter', 'contracts/adapters/UniswapV3PositionAdapter.sol', true],
  ['epitaph', 'Epitaph', 'contracts/Epitaph.sol', true],
];
// The fields of `Suite`, in the order of contracts/types/Suite.sol.
const SUITE = ['identityRegistry', 'lineageRegistry', 'birth', 'succession', 'vault', 'vaultOwner', 'vaultTrading',
  'vaultLiquidity', 'vaultDeath', 'swapAdapter', 'positionAdapter', 'epitaph', 'usdc', 'weth', 'uniswapFactory', 'positionManager'];
const SUITE_SELECTOR = '0xd4717c1b';

const fail = (message) => { console.error(`verify: ${message}`); process.exit(1); };
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
// Where forge puts what it compiles, told to it by the same variable.
const OUT = process.env.FOUNDRY_OUT ?? 'out';
const artifactOf = (name) => {
  const file = `${OUT}/${name}.sol/${name}.json`;
  if (!existsSync(file)) fail(`${file} is missing; run forge build`);
  return json(file);
};
const suiteArgs = (addresses) => SUITE.map((field) => addresses[field].slice(2).toLowerCase().padStart(64, '0')).join('');

/** The identity registry that the chain had before us (L-010) is not ours to compare or publish. */
function isCanonical(field, addresses) {
  const config = `deploy/config/${addresses.chainId}.json`;
  return field === 'identityRegistry' && existsSync(config)
    && json(config).identityRegistry.toLowerCase() === addresses[field].toLowerCase();
}

async function rpc(url, method, params) {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }).catch((error) => fail(`${url}: ${error.message}`));
  const { result, error } = await answer.json();
  if (error) fail(`${method}: ${error.message}`);
  return result;
}

/** Runtime code with every immutable zeroed, as the artifact has it. */
function blank(code, references) {
  let bytes = code.slice(2);
  for (const { start, length } of Object.values(references ?? {}).flat()) {
    bytes = bytes.slice(0, start * 2) + '00'.repeat(length) + bytes.slice((start + length) * 2);
  }
  return '0x' + bytes;
}

async function verifyCode(url, file) {
  const chainId = Number(await rpc(url, 'eth_chainId', []));
  const addresses = json(file ?? `deploy/addresses/${chainId}.json`);
  if (Number(addresses.chainId) !== chainId) fail(`the addresses are of chain ${addresses.chainId}, the node of ${chainId}`);
  for (const [field, name, , bound] of CONTRACTS) {
    const address = addresses[field];
    const found = await rpc(url, 'eth_getCode', [address, 'latest']);
    if (found === '0x') fail(`${name}: nothing stands at ${address}`);
    if (isCanonical(field, addresses)) {
      console.log(`${name.padEnd(25)} ${address} canonical, not ours to compare`);
      continue;
    }
    const { deployedBytecode } = artifactOf(name);
    if (blank(found, deployedBytecode.immutableReferences) !== deployedBytecode.object) fail(`${name} at ${address} is not this source's`);
    if (bound) {
      const wired = await rpc(url, 'eth_call', [{ to: address, data: SUITE_SELECTOR }, 'latest']);
      if (wired !== '0x' + suiteArgs(addresses)) fail(`${name} at ${address} is wired to other addresses than the file says`);
    }
    console.log(`${name.padEnd(25)} ${address} equal${bound ? ', wired as the file says' : ''}`);
  }
}

/** The smallest input that gives a contract's code: the sources its metadata names, under its settings. */
function inputOf(name) {
  const { metadata } = artifactOf(name);
  const { compilationTarget, ...settings } = metadata.settings;
  const sources = Object.fromEntries(Object.keys(metadata.sources).map((path) => [path, { content: readFileSync(path, 'utf8') }]));
  return { compiler: metadata.compiler.version, target: Object.entries(compilationTarget)[0].join(':'),
    input: { language: metadata.language, sources, settings: { ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'metadata'] } } } } };
}

function writeInputs(folder, recompile) {
  mkdirSync(folder, { recursive: true });
  for (const [, name, path] of CONTRACTS) {
    const { input, compiler, target } = inputOf(name);
    if (target !== `${path}:${name}`) fail(`${name} was compiled as ${target}`);
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(input, null, 1) + '\n');
    if (recompile) {
      const said = JSON.parse(execFileSync('scripts/solc', ['--standard-json'], { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1 << 28 }));
      const errors = (said.errors ?? []).filter((e) => e.severity === 'error');
      if (errors.length) fail(`${name}: ${errors[0].formattedMessage}`);
      if ('0x' + said.contracts[path][name].evm.bytecode.object !== artifactOf(name).bytecode.object) fail(`${file} does not give the artifact's code`);
    }
    console.log(`${file} (${compiler}${recompile ? ', compiles to the same code' : ''})`);
  }
}

function publish(explorer, file, print) {
  const addresses = json(file);
  const ask = (variable) => process.env[variable] ?? (print ? `$${variable}` : fail(`set ${variable}`));
  const how = {
    etherscan: () => ['--verifier', 'etherscan', '--etherscan-api-key', ask('ETHERSCAN_API_KEY')],
    blockscout: () => ['--verifier', 'blockscout', '--verifier-url', ask('BLOCKSCOUT_URL')],
    sourcify: () => ['--verifier', 'sourcify'],
  }[explorer] ?? fail('etherscan, blockscout or sourcify');
  for (const [field, name, path, bound] of CONTRACTS) {
    if (isCanonical(field, addresses)) continue;
    const command = ['verify-contract', addresses[field], `${path}:${name}`, '--chain', String(addresses.chainId),
      '--compiler-version', inputOf(name).compiler, ...how(), ...(bound ? ['--constructor-args', '0x' + suiteArgs(addresses)] : []), '--watch'];
    if (print) console.log(['forge', ...command].join(' '));
    else if (spawnSync(FORGE, command, { stdio: 'inherit' }).status !== 0) fail(`${name} was not verified`);
  }
}

const args = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const has = (flag) => process.argv.includes(flag);
if (args[0] === 'code' && args[1]) await verifyCode(args[1], args[2]);
else if (args[0] === 'inputs') writeInputs(args[1] ?? 'deploy/verify', has('--recompile'));
else if (args[0] === 'publish' && args[2]) publish(args[1], args[2], has('--print'));
else { console.error(readFileSync('deploy/verify.mjs', 'utf8').split('\n').slice(1, 4).map((l) => l.slice(3)).join('\n')); process.exit(2); }
