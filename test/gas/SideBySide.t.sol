// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {ERC20 as OzErc20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

import {ERC20 as SoladyErc20} from "solady/tokens/ERC20.sol";

import {BaseTest} from "test/BaseTest.sol";
import {MockUsdc} from "test/mocks/MockUsdc.sol";
import {PeriodAllowance} from "test/mocks/PeriodAllowance.sol";
import {CircleUsdc} from "test/utils/CircleUsdc.sol";

contract OzToken is OzErc20("Token", "TKN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

contract SoladyToken is SoladyErc20 {
    function name() public pure override returns (string memory) {
        return "Token";
    }

    function symbol() public pure override returns (string memory) {
        return "TKN";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

contract OzNft is ERC721("Nft", "NFT") {
    uint256 private _next;

    function mint(address to) external {
        _safeMint(to, _next++);
    }
}

/// @title What a user would pick instead, as whole transactions in the same run (V-040)
/// @dev Isolated: every outermost call is a transaction of its own, with cold storage and 21,000.
/// forge-config: default.isolate = true
contract SideBySideTest is BaseTest, CircleUsdc {
    function _deployUsdc() internal override returns (MockUsdc) {
        return MockUsdc(_deployCircleUsdc());
    }

    function test_gas_transferOfUsdc() public {
        vm.prank(OWNER);
        usdc.transfer(PAYEE, 1e6);
        vm.snapshotGasLastCall("peers", "transfer, USDC (Circle, proxy)");
    }

    function test_gas_transferOfErc20() public {
        OzToken token = new OzToken();
        token.mint(OWNER, 10e6);
        token.mint(PAYEE, 1e6);
        vm.prank(OWNER);
        token.transfer(PAYEE, 1e6);
        vm.snapshotGasLastCall("peers", "transfer, ERC-20 (OpenZeppelin)");
        SoladyToken lean = new SoladyToken();
        lean.mint(OWNER, 10e6);
        lean.mint(PAYEE, 1e6);
        vm.prank(OWNER);
        lean.transfer(PAYEE, 1e6);
        vm.snapshotGasLastCall("peers", "transfer, ERC-20 (Solady)");
    }

    function test_gas_mintOfErc721() public {
        OzNft nft = new OzNft();
        nft.mint(PAYEE);
        vm.prank(OWNER);
        nft.mint(OWNER);
        vm.snapshotGasLastCall("peers", "mint, ERC-721 (OpenZeppelin)");
    }

    function test_gas_spendPermission() public {
        PeriodAllowance manager_ = new PeriodAllowance();
        PeriodAllowance.Permission memory p = PeriodAllowance.Permission({
            account: OWNER,
            spender: KEY,
            token: address(usdc),
            allowance: 10e6,
            start: uint48(block.timestamp),
            end: uint48(block.timestamp + 365 days),
            period: 1 days
        });
        usdc.mint(KEY, 1e6);
        vm.startPrank(OWNER);
        usdc.approve(address(manager_), type(uint256).max);
        manager_.approve(p);
        vm.snapshotGasLastCall("peers", "allowance per period: approve");
        vm.stopPrank();
        vm.prank(KEY);
        manager_.spend(p, 1e6);
        vm.snapshotGasLastCall("peers", "allowance per period: first spend");
        vm.prank(KEY);
        manager_.spend(p, 1e6);
        vm.snapshotGasLastCall("peers", "allowance per period: spend");
    }
}
