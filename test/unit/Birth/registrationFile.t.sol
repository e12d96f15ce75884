// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Base64} from "solady/utils/Base64.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";

import {BaseTest} from "test/BaseTest.sol";

/// @title The registration file that explorers of ERC-8004 read (L-012, L-013, L-014)
contract RegistrationFileTest is BaseTest {
    string private constant PREFIX = "data:application/json;base64,";

    function _born(string memory name) private {
        IBirth.Order memory order = _order();
        order.agentURI = "";
        order.name = name;
        _giveBirth(order);
    }

    /// @dev Decodes what the registry emits, as a client does.
    function _json(string memory uri) private pure returns (string memory) {
        bytes memory whole = bytes(uri);
        uint256 skip = bytes(PREFIX).length;
        bytes memory body = new bytes(whole.length - skip);
        for (uint256 i; i < body.length; ++i) {
            body[i] = whole[skip + i];
        }
        return string(Base64.decode(string(body)));
    }

    function _caip(address account) private view returns (string memory) {
        return string.concat("eip155:", vm.toString(block.chainid), ":", vm.toLowercase(vm.toString(account)));
    }

    /// @dev What explorers warn about: the type; `endpoints` instead of `services`; a service without an endpoint; a
    /// URI that is not content-addressed.
    function _assertExplorerChecks(string memory uri) private view {
        assertTrue(_startsWith(uri, PREFIX), "4: content-addressed");
        string memory json = _json(uri);
        assertEq(
            vm.parseJsonString(json, ".type"), "https://eips.ethereum.org/EIPS/eip-8004#registration-v1", "1: type"
        );
        assertTrue(vm.keyExistsJson(json, ".services"), "2: services");
        assertFalse(vm.keyExistsJson(json, ".endpoints"), "2: not endpoints");
        for (uint256 i; i < 2; ++i) {
            string memory service = string.concat(".services[", vm.toString(i), "]");
            assertTrue(vm.keyExistsJson(json, service));
            assertGt(bytes(vm.parseJsonString(json, string.concat(service, ".endpoint"))).length, 0, "3: endpoint");
            assertGt(bytes(vm.parseJsonString(json, string.concat(service, ".name"))).length, 0);
        }
        assertFalse(vm.keyExistsJson(json, ".services[2]"), "every service was looked at");
    }

    function _startsWith(string memory text, string memory prefix) private pure returns (bool) {
        return vm.indexOf(text, prefix) == 0;
    }

    function test_file_passesTheFourExplorerChecksAliveAndDead() public {
        _born("Ada");
        _assertExplorerChecks(identity.tokenURI(golem));
        _kill();
        _assertExplorerChecks(births.registrationFile(golem, "Ada"));
        _settle();
        _assertExplorerChecks(births.registrationFile(golem, "Ada"));
    }

    function test_file_ofALivingGolem() public {
        _born("Ada");
        string memory json = _json(identity.tokenURI(golem));
        assertEq(vm.parseJsonString(json, ".name"), "Ada");
        assertGt(bytes(vm.parseJsonString(json, ".description")).length, 20);
        assertTrue(vm.parseJsonBool(json, ".active"));
        assertFalse(vm.parseJsonBool(json, ".x402Support"));
        assertEq(vm.parseJsonUint(json, ".registrations[0].agentId"), golem);
        assertEq(vm.parseJsonString(json, ".registrations[0].agentRegistry"), _caip(suite.identity));
        assertEq(vm.parseJsonString(json, ".services[1].name"), "lineage");
        assertEq(vm.parseJsonString(json, ".services[1].endpoint"), _caip(suite.lineage));
        assertEq(vm.parseJsonUint(json, ".lineage.id"), golem);
        assertEq(vm.parseJsonUint(json, ".lineage.generation"), 0);
        assertEq(vm.parseJsonAddress(json, ".lineage.vault"), address(vault));
        assertEq(vm.parseJsonString(json, ".mortality.life"), "alive");
        assertEq(vm.parseJsonString(json, ".mortality.phase"), "Thriving");
        assertEq(vm.parseJsonUint(json, ".mortality.bornAt"), block.timestamp);
        assertTrue(vm.contains(json, '"predecessor":null'));
        assertTrue(vm.contains(json, '"diedAt":null'));
        assertTrue(vm.contains(json, '"cause":null'));
    }

    /// @dev The picture is on chain: an SVG whose lineage colours it.
    function test_file_carriesItsPicture() public {
        _born("Ada");
        string memory image = vm.parseJsonString(_json(identity.tokenURI(golem)), ".image");
        assertTrue(_startsWith(image, "data:image/svg+xml;base64,"));
        bytes memory whole = bytes(image);
        bytes memory body = new bytes(whole.length - 26);
        for (uint256 i; i < body.length; ++i) {
            body[i] = whole[26 + i];
        }
        string memory svg = string(Base64.decode(string(body)));
        assertTrue(_startsWith(svg, "<svg xmlns="));
        assertTrue(vm.contains(svg, "</svg>"));
        assertTrue(vm.contains(svg, "<circle"), "eyes while it lives");
    }

    /// @dev L-014: the owner's `setAgentURI` says `active: false` with the cause; the token stays.
    function test_file_ofTheDeadIsSetByItsOwner() public {
        _born("Ada");
        _kill();
        _settle();
        string memory uri = births.registrationFile(golem, "Ada");
        vm.expectEmit(suite.identity);
        emit IIdentityRegistry.URIUpdated(golem, uri, OWNER);
        vm.prank(OWNER);
        identity.setAgentURI(golem, uri);
        string memory json = _json(identity.tokenURI(golem));
        assertFalse(vm.parseJsonBool(json, ".active"));
        assertEq(vm.parseJsonString(json, ".mortality.cause"), "OwnerKill");
        assertEq(vm.parseJsonString(json, ".mortality.life"), "dead");
        assertEq(vm.parseJsonUint(json, ".mortality.diedAt"), block.timestamp);
        assertEq(identity.ownerOf(golem), OWNER);
    }

    function test_file_ofASuccessorNamesItsPredecessor() public {
        _born("Ada");
        _kill();
        _settle();
        uint256 first = golem;
        IBirth.Order memory order = _order();
        order.predecessor = first;
        order.playbookDigest = "other";
        order.agentURI = "";
        _giveBirth(order);
        string memory json = _json(identity.tokenURI(golem));
        assertEq(vm.parseJsonUint(json, ".lineage.predecessor"), first);
        assertEq(vm.parseJsonUint(json, ".lineage.generation"), 1);
        assertEq(vm.parseJsonUint(json, ".lineage.id"), first);
    }

    /// @dev A name is the owner's text and must not be able to write fields of its own.
    function test_file_escapesTheName() public {
        string memory name = 'A"da\\, "active":false\n\t\x01';
        _born(name);
        string memory json = _json(identity.tokenURI(golem));
        assertEq(vm.parseJsonString(json, ".name"), name);
        assertTrue(vm.parseJsonBool(json, ".active"));
        _assertExplorerChecks(identity.tokenURI(golem));
    }

    function test_file_aUriOfOnesOwnIsKept() public {
        _giveBirth(_order());
        assertEq(identity.tokenURI(golem), _order().agentURI);
    }
}
