// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test, Vm} from "forge-std/Test.sol";

import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";

import {ContractWallet} from "test/mocks/Actors.sol";

/// @title Our Identity Registry against ERC-8004 as deployed, function by function (L-010, L-011, L-013, L-014)
/// @dev Selectors and topics are written as clients have them, so that a change of ours cannot move both sides.
contract ConformanceTest is Test {
    IdentityRegistry internal registry;
    address internal OWNER;
    address internal OPERATOR = makeAddr("OPERATOR");
    address internal APPROVED = makeAddr("APPROVED");
    address internal STRANGER = makeAddr("STRANGER");
    address internal BUYER = makeAddr("BUYER");
    address internal WALLET;
    uint256 internal WALLET_SK;
    uint256 internal id;

    event MetadataUpdate(uint256 _tokenId);

    function setUp() public {
        vm.warp(1_750_000_000);
        registry = new IdentityRegistry();
        OWNER = makeAddr("OWNER");
        (WALLET, WALLET_SK) = makeAddrAndKey("WALLET");
        vm.startPrank(OWNER);
        id = registry.register("ipfs://file");
        registry.setApprovalForAll(OPERATOR, true);
        registry.approve(APPROVED, id);
        vm.stopPrank();
    }

    /* ABI */

    function _selector(string memory signature) private pure returns (bytes4) {
        return bytes4(keccak256(bytes(signature)));
    }

    function test_selectors_areTheStandards() public pure {
        assertEq(_selector("register()"), bytes4(0x1aa3a008));
        assertEq(_selector("register(string)"), bytes4(0xf2c298be));
        assertEq(_selector("register(string,(string,bytes)[])"), bytes4(0x8ea42286));
        assertEq(IIdentityRegistry.getMetadata.selector, bytes4(0xcb4799f2));
        assertEq(IIdentityRegistry.setMetadata.selector, bytes4(0x466648da));
        assertEq(IIdentityRegistry.setAgentURI.selector, bytes4(0x0af28bd3));
        assertEq(IdentityRegistry.tokenURI.selector, bytes4(0xc87b56dd));
        assertEq(IIdentityRegistry.getAgentWallet.selector, bytes4(0x00339509));
        assertEq(IIdentityRegistry.setAgentWallet.selector, bytes4(0x2d1ef5ae));
        assertEq(IIdentityRegistry.unsetAgentWallet.selector, bytes4(0x3fddcf19));
        assertEq(IIdentityRegistry.isAuthorizedOrOwner.selector, bytes4(0xd95e72be));
        assertEq(IIdentityRegistry.getVersion.selector, bytes4(0x0d8e6e2c));
    }

    function test_topics_areTheStandards() public pure {
        assertEq(bytes4(IIdentityRegistry.Registered.selector), bytes4(0xca52e62c));
        assertEq(bytes4(IIdentityRegistry.MetadataSet.selector), bytes4(0x2c149ed5));
        assertEq(bytes4(IIdentityRegistry.URIUpdated.selector), bytes4(0x3a2c7fff));
    }

    /// @dev The three overloads answer at the standard's selectors, called as a client calls them.
    function test_register_overloadsAnswerAtTheirSelectors() public {
        vm.startPrank(STRANGER);
        (bool ok, bytes memory answer) = address(registry).call(abi.encodeWithSelector(bytes4(0x1aa3a008)));
        assertTrue(ok);
        assertEq(abi.decode(answer, (uint256)), 1);
        (ok, answer) = address(registry).call(abi.encodeWithSelector(bytes4(0xf2c298be), "ipfs://x"));
        assertTrue(ok);
        assertEq(abi.decode(answer, (uint256)), 2);
        IIdentityRegistry.MetadataEntry[] memory entries = new IIdentityRegistry.MetadataEntry[](0);
        (ok, answer) = address(registry).call(abi.encodeWithSelector(bytes4(0x8ea42286), "ipfs://y", entries));
        assertTrue(ok);
        assertEq(abi.decode(answer, (uint256)), 3);
        assertEq(registry.tokenURI(3), "ipfs://y");
    }

    function test_nameSymbolVersionAndInterfaces() public view {
        assertEq(registry.name(), "AgentIdentity");
        assertEq(registry.symbol(), "AGENT");
        assertEq(registry.getVersion(), "2.0.0");
        assertTrue(registry.supportsInterface(0x01ffc9a7), "ERC-165");
        assertTrue(registry.supportsInterface(0x80ac58cd), "ERC-721");
        assertTrue(registry.supportsInterface(0x5b5e139f), "ERC-721 metadata");
        assertTrue(registry.supportsInterface(0x49064906), "ERC-4906");
        assertFalse(registry.supportsInterface(0xffffffff));
        (, string memory name, string memory version, uint256 chainId, address at,,) = registry.eip712Domain();
        assertEq(name, "ERC8004IdentityRegistry");
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(at, address(registry));
    }

    /* REGISTER */

    function test_register_idsStartAtZeroAndGrowByOne() public {
        assertEq(id, 0);
        vm.prank(STRANGER);
        assertEq(registry.register(), 1);
        vm.prank(STRANGER);
        assertEq(registry.register("x"), 2);
    }

    function test_register_emitsTransferRegisteredAndWallet() public {
        vm.recordLogs();
        vm.prank(STRANGER);
        uint256 made = registry.register("ipfs://y");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 3);
        assertEq(logs[0].topics[0], keccak256("Transfer(address,address,uint256)"));
        assertEq(logs[1].topics[0], IIdentityRegistry.Registered.selector);
        assertEq(uint256(logs[1].topics[1]), made);
        assertEq(address(uint160(uint256(logs[1].topics[2]))), STRANGER);
        assertEq(abi.decode(logs[1].data, (string)), "ipfs://y");
        assertEq(logs[2].topics[0], IIdentityRegistry.MetadataSet.selector);
        assertEq(logs[2].topics[2], keccak256("agentWallet"));
        (string memory key, bytes memory value) = abi.decode(logs[2].data, (string, bytes));
        assertEq(key, "agentWallet");
        assertEq(value, abi.encodePacked(STRANGER), "20 packed bytes");
        assertEq(registry.getAgentWallet(made), STRANGER);
        assertEq(registry.getMetadata(made, "agentWallet"), abi.encodePacked(STRANGER));
    }

    function test_register_withoutAFile() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.Registered(1, "", STRANGER);
        vm.prank(STRANGER);
        registry.register();
        assertEq(registry.tokenURI(1), "");
    }

    function test_register_withMetadata() public {
        IIdentityRegistry.MetadataEntry[] memory entries = new IIdentityRegistry.MetadataEntry[](2);
        entries[0] = IIdentityRegistry.MetadataEntry("a", "1");
        entries[1] = IIdentityRegistry.MetadataEntry("b", "2");
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(1, "a", "a", "1");
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(1, "b", "b", "2");
        vm.prank(STRANGER);
        registry.register("ipfs://y", entries);
        assertEq(registry.getMetadata(1, "b"), "2");
    }

    function test_register_reservedKeyTakesTheRegistrationWithIt() public {
        IIdentityRegistry.MetadataEntry[] memory entries = new IIdentityRegistry.MetadataEntry[](1);
        entries[0] = IIdentityRegistry.MetadataEntry("agentWallet", abi.encodePacked(WALLET));
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.ReservedKey.selector, "agentWallet"));
        vm.prank(STRANGER);
        registry.register("ipfs://y", entries);
        assertEq(registry.balanceOf(STRANGER), 0);
    }

    function test_register_mintsSafely() public {
        ContractWallet refuses = new ContractWallet(false, false);
        vm.expectRevert(abi.encodeWithSignature("ERC721InvalidReceiver(address)", address(refuses)));
        refuses.act(address(registry), abi.encodeWithSignature("register()"));
        ContractWallet takes = new ContractWallet(true, false);
        takes.act(address(registry), abi.encodeWithSignature("register()"));
        assertEq(registry.ownerOf(1), address(takes));
    }

    /* FILE AND METADATA */

    function test_setAgentURI_byOwnerOperatorAndApproved() public {
        address[3] memory callers = [OWNER, OPERATOR, APPROVED];
        for (uint256 i; i < 3; ++i) {
            string memory uri = string.concat("ipfs://", vm.toString(i));
            vm.expectEmit(address(registry));
            emit MetadataUpdate(id);
            vm.expectEmit(address(registry));
            emit IIdentityRegistry.URIUpdated(id, uri, callers[i]);
            vm.prank(callers[i]);
            registry.setAgentURI(id, uri);
            assertEq(registry.tokenURI(id), uri);
        }
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotAuthorized.selector, id, STRANGER));
        vm.prank(STRANGER);
        registry.setAgentURI(id, "ipfs://mine");
    }

    function test_setMetadata_byOwnerOperatorAndApproved() public {
        address[3] memory callers = [OWNER, OPERATOR, APPROVED];
        for (uint256 i; i < 3; ++i) {
            vm.expectEmit(address(registry));
            emit IIdentityRegistry.MetadataSet(id, "k", "k", abi.encode(i));
            vm.prank(callers[i]);
            registry.setMetadata(id, "k", abi.encode(i));
            assertEq(registry.getMetadata(id, "k"), abi.encode(i));
        }
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotAuthorized.selector, id, STRANGER));
        vm.prank(STRANGER);
        registry.setMetadata(id, "k", "");
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.ReservedKey.selector, "agentWallet"));
        vm.prank(OWNER);
        registry.setMetadata(id, "agentWallet", abi.encodePacked(WALLET));
    }

    function test_unknownIds_answerAsDeployed() public {
        bytes memory unknown = abi.encodeWithSignature("ERC721NonexistentToken(uint256)", 999);
        vm.expectRevert(unknown);
        registry.tokenURI(999);
        vm.expectRevert(unknown);
        registry.isAuthorizedOrOwner(OWNER, 999);
        vm.expectRevert(unknown);
        registry.setMetadata(999, "k", "");
        vm.expectRevert(unknown);
        registry.setAgentURI(999, "");
        vm.expectRevert(unknown);
        registry.unsetAgentWallet(999);
        vm.expectRevert(unknown);
        registry.setAgentWallet(999, WALLET, block.timestamp, "");
        assertEq(registry.getAgentWallet(999), address(0), "no revert");
        assertEq(registry.getMetadata(999, "k"), "", "no revert");
        assertEq(registry.getMetadata(999, "agentWallet"), "");
    }

    function test_isAuthorizedOrOwner() public view {
        assertTrue(registry.isAuthorizedOrOwner(OWNER, id));
        assertTrue(registry.isAuthorizedOrOwner(OPERATOR, id));
        assertTrue(registry.isAuthorizedOrOwner(APPROVED, id));
        assertFalse(registry.isAuthorizedOrOwner(STRANGER, id));
    }

    /* WALLET */

    /// @dev The EIP-712 digest written out as a client computes it.
    function _digest(address wallet, address owner, uint256 deadline) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("ERC8004IdentityRegistry"),
                keccak256("1"),
                block.chainid,
                address(registry)
            )
        );
        bytes32 what = keccak256(
            abi.encode(
                keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"),
                id,
                wallet,
                owner,
                deadline
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, what));
    }

    function _proof(uint256 deadline) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(WALLET_SK, _digest(WALLET, OWNER, deadline));
        return abi.encodePacked(r, s, v);
    }

    function test_setAgentWallet_byEoa() public {
        bytes memory proof = _proof(block.timestamp + 300);
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(id, "agentWallet", "agentWallet", abi.encodePacked(WALLET));
        vm.prank(OPERATOR);
        registry.setAgentWallet(id, WALLET, block.timestamp + 300, proof);
        assertEq(registry.getAgentWallet(id), WALLET);
        assertEq(registry.getMetadata(id, "agentWallet"), abi.encodePacked(WALLET));
    }

    function test_setAgentWallet_byErc1271() public {
        ContractWallet wallet = new ContractWallet(true, true);
        bytes memory signature = wallet.SIGNATURE();
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.InvalidWalletSignature.selector, id, address(wallet)));
        vm.prank(OWNER);
        registry.setAgentWallet(id, address(wallet), block.timestamp, signature);
        wallet.sign(_digest(address(wallet), OWNER, block.timestamp));
        vm.prank(OWNER);
        registry.setAgentWallet(id, address(wallet), block.timestamp, signature);
        assertEq(registry.getAgentWallet(id), address(wallet));
    }

    /// @dev An EIP-7702 account has code and still signs by its key: ECDSA is asked first.
    function test_setAgentWallet_byAnEoaWithCode() public {
        bytes memory proof = _proof(block.timestamp);
        vm.etch(WALLET, bytes.concat(hex"ef0100", bytes20(address(registry))));
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, block.timestamp, proof);
        assertEq(registry.getAgentWallet(id), WALLET);
    }

    function test_setAgentWallet_deadlineWindowToTheSecond() public {
        uint256 now_ = block.timestamp;
        bytes memory proof = _proof(now_ - 1);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.Expired.selector, now_ - 1, now_));
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, now_ - 1, proof);
        proof = _proof(now_ + 301);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.DeadlineTooFar.selector, now_ + 301, now_ + 300));
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, now_ + 301, proof);
        proof = _proof(now_);
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, now_, proof);
        assertEq(registry.getAgentWallet(id), WALLET);
    }

    function test_setAgentWallet_proofBindsOwnerWalletChainAndDeadline() public {
        uint256 deadline = block.timestamp + 100;
        bytes memory proof = _proof(deadline);
        bytes memory refused = abi.encodeWithSelector(IIdentityRegistry.InvalidWalletSignature.selector, id, WALLET);
        vm.expectRevert(refused);
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, deadline + 1, proof);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.InvalidWalletSignature.selector, id, STRANGER));
        vm.prank(OWNER);
        registry.setAgentWallet(id, STRANGER, deadline, proof);
        uint256 here = block.chainid;
        vm.chainId(here + 1);
        vm.expectRevert(refused);
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, deadline, proof);
        vm.chainId(here);
        vm.prank(OWNER);
        registry.transferFrom(OWNER, BUYER, id);
        vm.expectRevert(refused);
        vm.prank(BUYER);
        registry.setAgentWallet(id, WALLET, deadline, proof);
    }

    function test_setAgentWallet_refusesZeroStrangersAndRubbish() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.BadWallet.selector, address(0)));
        vm.prank(OWNER);
        registry.setAgentWallet(id, address(0), block.timestamp, "");
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotAuthorized.selector, id, STRANGER));
        vm.prank(STRANGER);
        registry.setAgentWallet(id, WALLET, block.timestamp, "");
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.InvalidWalletSignature.selector, id, WALLET));
        vm.prank(OWNER);
        registry.setAgentWallet(id, WALLET, block.timestamp, "rubbish");
    }

    function test_unsetAgentWallet() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(id, "agentWallet", "agentWallet", "");
        vm.prank(APPROVED);
        registry.unsetAgentWallet(id);
        assertEq(registry.getAgentWallet(id), address(0));
        assertEq(registry.getMetadata(id, "agentWallet"), "");
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotAuthorized.selector, id, STRANGER));
        vm.prank(STRANGER);
        registry.unsetAgentWallet(id);
    }

    /// @dev The wallet is cleared before the token moves; everything else stays with the agent.
    function test_transfer_clearsTheWalletBeforeTheMove() public {
        vm.prank(OWNER);
        registry.setMetadata(id, "k", "v");
        vm.recordLogs();
        vm.prank(OWNER);
        registry.transferFrom(OWNER, BUYER, id);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs[0].topics[0], IIdentityRegistry.MetadataSet.selector);
        (string memory key, bytes memory value) = abi.decode(logs[0].data, (string, bytes));
        assertEq(key, "agentWallet");
        assertEq(value, "");
        assertEq(logs[logs.length - 1].topics[0], keccak256("Transfer(address,address,uint256)"));
        assertEq(registry.getAgentWallet(id), address(0));
        assertEq(registry.getMetadata(id, "k"), "v");
        assertEq(registry.tokenURI(id), "ipfs://file");
    }

    /// @dev L-002, L-014: nobody owns or upgrades it, and there is no burning.
    function test_noOwnerNoUpgradeNoBurn() public {
        string[5] memory absent = [
            "owner()", "transferOwnership(address)", "upgradeToAndCall(address,bytes)", "burn(uint256)", "initialize()"
        ];
        for (uint256 i; i < absent.length; ++i) {
            (bool ok,) = address(registry).call(abi.encodePacked(_selector(absent[i]), new bytes(64)));
            assertFalse(ok);
        }
    }
}
