// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Base64} from "solady/utils/Base64.sol";
import {LibString} from "solady/utils/LibString.sol";

import {Epitaph} from "contracts/Epitaph.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IEpitaph} from "contracts/interfaces/IEpitaph.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {Life} from "contracts/types/Life.sol";

import {UnitTest} from "test/unit/UnitTest.sol";

/// @title write, canWrite: what a registration file says of the dead (L-014)
contract EpitaphTest is UnitTest {
    using LibString for string;

    Epitaph private epitaph;

    /// @dev A Golem whose file was built on chain and whose owner lets the epitaph be written.
    function setUp() public override {
        super.setUp();
        epitaph = Epitaph(suite.epitaph);
        _born("Ada");
    }

    function _born(string memory name) private {
        IBirth.Order memory order = _order();
        order.nonce = uint256(keccak256(bytes(name)));
        order.agentURI = "";
        order.name = name;
        _giveBirth(order);
    }

    function _let() private {
        vm.prank(OWNER);
        identity.approve(address(epitaph), golem);
    }

    function _die() private {
        _kill();
        _settle();
    }

    function _write() private {
        vm.prank(STRANGER);
        epitaph.write(golem);
    }

    function _json(string memory uri) private pure returns (string memory) {
        return string(Base64.decode(uri.slice(bytes("data:application/json;base64,").length)));
    }

    function test_write_byAnyoneChangesOneWordAndNothingElse() public {
        string memory before = _json(identity.tokenURI(golem));
        assertTrue(vm.parseJsonBool(before, ".active"));
        _let();
        _die();
        assertTrue(epitaph.canWrite(golem));
        _write();
        string memory after_ = _json(identity.tokenURI(golem));
        assertFalse(vm.parseJsonBool(after_, ".active"));
        assertEq(after_, before.replace('"active":true ', '"active":false'));
        assertEq(identity.ownerOf(golem), OWNER, "the token stays");
    }

    function test_write_isToldByTheIdentityRegistry() public {
        _let();
        _die();
        string memory uri = string.concat(
            "data:application/json;base64,",
            Base64.encode(bytes(_json(identity.tokenURI(golem)).replace('"active":true ', '"active":false')))
        );
        vm.expectEmit(suite.identity);
        emit IIdentityRegistry.URIUpdated(golem, uri, address(epitaph));
        _write();
    }

    /// @dev An operator for all of the owner's tokens is as good as an approval for this one.
    function test_write_whereTheOwnerMadeItAnOperator() public {
        vm.prank(OWNER);
        identity.setApprovalForAll(address(epitaph), true);
        _die();
        assertTrue(epitaph.canWrite(golem));
        _write();
        assertFalse(vm.parseJsonBool(_json(identity.tokenURI(golem)), ".active"));
    }

    function test_write_revertsUnlessDead() public {
        _let();
        assertFalse(epitaph.canWrite(golem));
        vm.expectRevert(_wrongLife(Life.Alive, Life.Dead));
        _write();
        _kill();
        assertFalse(epitaph.canWrite(golem));
        vm.expectRevert(_wrongLife(Life.Dying, Life.Dead));
        _write();
        assertFalse(epitaph.canWrite(999));
        vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, 999, Life.Unborn, Life.Dead));
        epitaph.write(999);
    }

    function test_write_revertsUnlessTheOwnerLetsIt() public {
        _die();
        assertFalse(epitaph.canWrite(golem));
        vm.expectRevert(abi.encodeWithSelector(IEpitaph.NotLet.selector, golem));
        _write();
    }

    /// @dev A sale takes the approval with it, as with any ERC-721: the buyer says for himself.
    function test_write_revertsAfterASaleUntilTheBuyerLetsIt() public {
        _let();
        _die();
        _sell();
        vm.expectRevert(abi.encodeWithSelector(IEpitaph.NotLet.selector, golem));
        _write();
        vm.prank(BUYER);
        identity.approve(address(epitaph), golem);
        _write();
        assertFalse(vm.parseJsonBool(_json(identity.tokenURI(golem)), ".active"));
    }

    function test_write_revertsTheSecondTime() public {
        _let();
        _die();
        _write();
        assertFalse(epitaph.canWrite(golem));
        vm.expectRevert(abi.encodeWithSelector(IEpitaph.NothingToWrite.selector, golem));
        _write();
    }

    function test_write_revertsForAFileElsewhere() public {
        vm.prank(OWNER);
        identity.setAgentURI(golem, "ipfs://bafy");
        _let();
        _die();
        assertFalse(epitaph.canWrite(golem));
        vm.expectRevert(abi.encodeWithSelector(IEpitaph.NothingToWrite.selector, golem));
        _write();
    }

    /// @dev A file that says nothing of the kind, or that is no base64 at all, is left alone.
    function test_write_revertsForAFileWithoutTheWord() public {
        _let();
        _die();
        string[3] memory files = [
            string.concat("data:application/json;base64,", Base64.encode('{"active":false}')),
            "data:application/json;base64,",
            "data:application/json;base64,!!not base64!!"
        ];
        for (uint256 i; i < files.length; ++i) {
            vm.prank(OWNER);
            identity.setAgentURI(golem, files[i]);
            assertFalse(epitaph.canWrite(golem));
            vm.expectRevert(abi.encodeWithSelector(IEpitaph.NothingToWrite.selector, golem));
            _write();
        }
    }

    /// @dev A name cannot draw the pen to itself: its quotes are escaped.
    function test_write_aNameThatSaysItIsActiveStaysAsItIs() public {
        string memory name = 'X", "active":true , "y":"';
        _born(name);
        _let();
        _die();
        _write();
        string memory json = _json(identity.tokenURI(golem));
        assertEq(vm.parseJsonString(json, ".name"), name);
        assertFalse(vm.parseJsonBool(json, ".active"));
    }

    /// @dev Where a description, services and an image are the owner's own, they stay too.
    function test_write_leavesAnOwnersOwnProfile() public {
        IBirth.Profile memory profile;
        profile.name = "Ada";
        profile.description = "hers";
        profile.image = "ipfs://picture";
        profile.services = new IBirth.Service[](1);
        profile.services[0] = IBirth.Service("web", "https://ada.example", "");
        string memory uri = births.registrationFile(golem, profile);
        vm.prank(OWNER);
        identity.setAgentURI(golem, uri);
        _let();
        _die();
        _write();
        string memory json = _json(identity.tokenURI(golem));
        assertEq(vm.parseJsonString(json, ".description"), "hers");
        assertEq(vm.parseJsonString(json, ".image"), "ipfs://picture");
        assertEq(vm.parseJsonString(json, ".services[0].endpoint"), "https://ada.example");
        assertFalse(vm.parseJsonBool(json, ".active"));
    }

    /// @dev L-001: the approval serves for this and nothing else. No call of the epitaph moves the token.
    function test_epitaph_hasNoOtherUseForTheApproval() public {
        _let();
        string[4] memory doors = [
            "transferFrom(address,address,uint256)",
            "approve(address,uint256)",
            "setAgentURI(uint256,string)",
            "setMetadata(uint256,string,bytes)"
        ];
        for (uint256 i; i < doors.length; ++i) {
            (bool ok,) = address(epitaph).call(abi.encodePacked(bytes4(keccak256(bytes(doors[i]))), new bytes(128)));
            assertFalse(ok);
        }
        assertEq(identity.ownerOf(golem), OWNER);
    }
}
