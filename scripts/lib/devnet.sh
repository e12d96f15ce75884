# Sourced by scripts that need a chain: the devnet of `bardo chain up` in a folder of its own, down again however the
# script ends. After start_devnet: $RPC, $KEY (of an account with ether that deployed nothing yet), $WORK/config.json for
# the deploy script; field FILE PATH reads JSON.

die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }
field() { node -p "JSON.parse(fs.readFileSync('$1', 'utf8')).$2"; }

# `forge script` compiles without the tests' dynamic linking, and in one folder each of the two would have to compile anew what the
# other compiled last.
deploying() { FOUNDRY_OUT=target/deploy/out FOUNDRY_CACHE_PATH=target/deploy/cache "$@"; }

stop_devnet() {
  [ -z "${WORK:-}" ] || target/debug/bardo chain down --dir "$WORK/chain" >/dev/null 2>&1 || true
  [ -z "${WORK:-}" ] || rm -rf "$WORK"
}

start_devnet() {
  # The tests have built it, and cargo would wait for whoever builds beside them.
  [ -n "${BARDO_IS_BUILT:-}" ] || cargo bardo --quiet
  # Under cache/, because the deploy script may write there and nowhere else.
  mkdir -p cache
  WORK=$(mktemp -d cache/devnet.XXXXXX)
  trap stop_devnet EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  target/debug/bardo chain up --detach --dir "$WORK/chain" --market still --speed 40 >/dev/null
  target/debug/bardo chain addresses --dir "$WORK/chain" --json >"$WORK/about.json"
  RPC=$(field "$WORK/about.json" chain.rpc_url)
  KEY=$(field "$WORK/about.json" "accounts.find((a) => a.role === 'stranger 5').key")
  export ETH_RPC_URL=$RPC
  node -e '
    const { world } = JSON.parse(fs.readFileSync(process.argv[1], "utf8")).chain;
    console.log(JSON.stringify({ usdc: world.usdc, weth: world.weth, uniswapFactory: world.v3_factory,
      positionManager: world.position_manager, identityRegistry: "0x0000000000000000000000000000000000000000" }));
  ' "$WORK/about.json" >"$WORK/config.json"
}

# The suite by the deploy script, at the addresses that follow from $KEY.
deploy_suite() {
  BARDO_CONFIG="$WORK/config.json" BARDO_ADDRESSES="$WORK/addresses.json" deploying forge script deploy/Deploy.s.sol \
    --rpc-url "$RPC" --broadcast --private-key "$KEY" >"$WORK/deploy.log" 2>&1 ||
    { tail -20 "$WORK/deploy.log" >&2; die "the deploy script failed"; }
}
