//! The seam to the contracts: the only place that reads their ABI. One module each, because structs that two ABIs share
//! are generated in both.

#![allow(
    missing_debug_implementations,
    unreachable_pub,
    clippy::too_many_arguments,
    clippy::pub_underscore_fields,
    reason = "names, meanings and signatures are those of contracts/interfaces"
)]

/// Everything that stands at a vault's address.
pub mod vault {
    // The birth's order, an argument of `initialise`, is generated beside the vault and speaks of these two.
    use IVault::{Listing, Policy};

    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        IVault,
        "../../contracts/abi/IVault.json"
    );
}

/// Lives, beats, deaths, generations.
pub mod lineage {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        ILineageRegistry,
        "../../contracts/abi/ILineageRegistry.json"
    );
}

/// One transaction from nothing to a living Golem.
pub mod birth {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        IBirth,
        "../../contracts/abi/IBirth.json"
    );
}

/// Mandates and their escrow.
pub mod succession {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        ISuccession,
        "../../contracts/abi/ISuccession.json"
    );
}

/// ERC-8004.
pub mod identity {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        IIdentityRegistry,
        "../../contracts/abi/IIdentityRegistry.json"
    );
}

/// What is said of the dead.
pub mod epitaph {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        IEpitaph,
        "../../contracts/abi/IEpitaph.json"
    );
}

/// Swaps, and whether a pool can be trusted with a price.
pub mod swaps {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        ISwapAdapter,
        "../../contracts/abi/ISwapAdapter.json"
    );
}

/// Uniswap V3's position manager, as far as the suite calls it.
pub mod positions {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        IPositionManager,
        "../../contracts/abi/IPositionManager.json"
    );
}

/// What the adapters refuse, and the libraries under the suite.
pub mod adapters {
    alloy::sol! {
        #[derive(Debug, PartialEq, Eq)]
        interface IAdapters {
            error PartialFill(uint256 taken, uint256 amountIn);
            error NotPool(address caller, address pool);
            error NotPositionOwner(uint256 tokenId, address caller, address owner);
            error Reentrancy();
            error TransferFailed();
            error TransferFromFailed();
            error ApproveFailed();
            error ETHTransferFailed();
            error Overflow();
            error DivFailed();
            error MulDivFailed();
            error FullMulDivFailed();
            error FailedDeployment();
            error InsufficientBalance(uint256 balance, uint256 needed);
        }
    }
}

/// Published contracts the suite stands on.
pub mod venue {
    alloy::sol! {
        #[derive(Debug, PartialEq, Eq)]
        interface IUniswapV3Pool {
            function token0() external view returns (address);
            function token1() external view returns (address);
            function fee() external view returns (uint24);
            function tickSpacing() external view returns (int24);
            function liquidity() external view returns (uint128);
            function slot0() external view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked);
            function feeGrowthGlobal0X128() external view returns (uint256);
            function feeGrowthGlobal1X128() external view returns (uint256);
            function ticks(int24 tick) external view returns (uint128 liquidityGross, int128 liquidityNet, uint256 feeGrowthOutside0X128, uint256 feeGrowthOutside1X128, int56 tickCumulativeOutside, uint160 secondsPerLiquidityOutsideX128, uint32 secondsOutside, bool initialized);
            function tickBitmap(int16 wordPosition) external view returns (uint256);
            function observe(uint32[] secondsAgos) external view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s);
        }

        #[derive(Debug, PartialEq, Eq)]
        interface IQuoterV2 {
            struct QuoteExactInputSingleParams { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }
            function quoteExactInputSingle(QuoteExactInputSingleParams params) external returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate);
        }

        /// What a rollup of the OP stack takes for its parent chain; it stands at an address of its own.
        #[derive(Debug, PartialEq, Eq)]
        interface IGasPriceOracle {
            function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256 fee);
        }

        #[derive(Debug, PartialEq, Eq)]
        interface IMulticall3 {
            struct Call3 { address target; bool allowFailure; bytes callData; }
            struct Result { bool success; bytes returnData; }
            function aggregate3(Call3[] calls) external payable returns (Result[] returnData);
            function getEthBalance(address account) external view returns (uint256 balance);
        }

        #[derive(Debug, PartialEq, Eq)]
        interface IErc20 {
            event Transfer(address indexed from, address indexed to, uint256 value);
            function name() external view returns (string);
            function symbol() external view returns (string);
            function decimals() external view returns (uint8);
            function balanceOf(address account) external view returns (uint256);
            function allowance(address owner, address spender) external view returns (uint256);
            function approve(address spender, uint256 value) external returns (bool);
            function transfer(address to, uint256 value) external returns (bool);
            function version() external view returns (string);
            function DOMAIN_SEPARATOR() external view returns (bytes32);
            function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
        }

        #[derive(Debug, PartialEq, Eq)]
        interface IErc721 {
            event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
            error ERC721InvalidOwner(address owner);
            error ERC721NonexistentToken(uint256 tokenId);
            error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner);
            error ERC721InvalidSender(address sender);
            error ERC721InvalidReceiver(address receiver);
            error ERC721InsufficientApproval(address operator, uint256 tokenId);
            error ERC721InvalidApprover(address approver);
            error ERC721InvalidOperator(address operator);
            function ownerOf(uint256 tokenId) external view returns (address owner);
            function tokenURI(uint256 tokenId) external view returns (string);
            function approve(address to, uint256 tokenId) external;
            function transferFrom(address from, address to, uint256 tokenId) external;
        }
    }
}

pub use adapters::IAdapters;
pub use birth::IBirth;
pub use epitaph::IEpitaph;
pub use identity::IIdentityRegistry;
pub use lineage::ILineageRegistry;
pub use positions::IPositionManager;
pub use succession::ISuccession;
pub use swaps::ISwapAdapter;
pub use vault::IVault;
pub use venue::{IErc20, IErc721, IGasPriceOracle, IMulticall3, IQuoterV2, IUniswapV3Pool};

/// Which neighbours a contract of the suite was deployed with.
pub mod suite {
    alloy::sol!(
        #[derive(Debug, PartialEq, Eq)]
        SuiteBound,
        "../../contracts/abi/SuiteBound.json"
    );
}

/// What is signed without being sent: EIP-3009, ERC-8004, a successor's key and a bequest.
pub mod statements {
    alloy::sol! {
        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct TransferWithAuthorization { address from; address to; uint256 value; uint256 validAfter; uint256 validBefore; bytes32 nonce; }

        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct AgentWalletSet { uint256 agentId; address newWallet; address owner; uint256 deadline; }

        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct SuccessorKey { bytes32 mandate; uint256 predecessor; address key; }

        #[derive(Debug, PartialEq, Eq, serde::Serialize)]
        struct Bequest { bytes32 testament; bytes32 bundle; }
    }
}

/// Every call, event and error of the suite and of what it stands on, with the names of their parts: for who shows a
/// transaction to a person. Each beside the contract that has it.
pub(crate) fn interfaces() -> Vec<(&'static str, alloy::json_abi::JsonAbi)> {
    const FILES: [(&str, &str); 13] = [
        ("Vault", include_str!("../../../contracts/abi/IVault.json")),
        ("LineageRegistry", include_str!("../../../contracts/abi/ILineageRegistry.json")),
        ("Birth", include_str!("../../../contracts/abi/IBirth.json")),
        ("Succession", include_str!("../../../contracts/abi/ISuccession.json")),
        ("IdentityRegistry", include_str!("../../../contracts/abi/IIdentityRegistry.json")),
        ("Epitaph", include_str!("../../../contracts/abi/IEpitaph.json")),
        ("SuiteDeployer", include_str!("../../../contracts/abi/SuiteDeployer.json")),
        ("SwapAdapter", include_str!("../../../contracts/abi/ISwapAdapter.json")),
        ("PositionAdapter", include_str!("../../../contracts/abi/IPositionAdapter.json")),
        ("PositionManager", include_str!("../../../contracts/abi/IPositionManager.json")),
        ("Pool", include_str!("../../../contracts/abi/IUniswapV3Pool.json")),
        ("USDC", include_str!("../../../contracts/abi/IUsdc.json")),
        ("WETH", include_str!("../../../contracts/abi/IWeth.json")),
    ];
    let read =
        |text: &str| -> alloy::json_abi::ContractObject { serde_json::from_str(text).expect("as forge wrote it") };
    FILES.iter().map(|(name, text)| (*name, read(text).abi.unwrap_or_default())).collect()
}

/// What is asked of money: the words are an identity's too, and mean a sum here.
pub(crate) const MONEY_CALLS: [&str; 3] = [
    "function approve(address spender, uint256 value)",
    "function transfer(address to, uint256 value)",
    "function transferFrom(address from, address to, uint256 value)",
];

/// What tokens and pools of any make say: the same words everywhere.
pub(crate) const COMMON_EVENTS: [&str; 5] = [
    "event Transfer(address indexed from, address indexed to, uint256 value)",
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
    "event Approval(address indexed owner, address indexed spender, uint256 value)",
    "event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
];
