// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Base64} from "solady/utils/Base64.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";
import {Phase} from "contracts/types/Life.sol";

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
    /// URI that is not content-addressed. And what clients fail at: a service of a kind the standard does not know.
    function _assertExplorerChecks(string memory uri, uint256 services) private view {
        assertTrue(_startsWith(uri, PREFIX), "4: content-addressed");
        string memory json = _json(uri);
        assertEq(
            vm.parseJsonString(json, ".type"), "https://eips.ethereum.org/EIPS/eip-8004#registration-v1", "1: type"
        );
        assertTrue(vm.keyExistsJson(json, ".services"), "2: services");
        assertFalse(vm.keyExistsJson(json, ".endpoints"), "2: not endpoints");
        for (uint256 i; i < services; ++i) {
            string memory service = _service(i);
            assertTrue(vm.keyExistsJson(json, service));
            assertGt(bytes(vm.parseJsonString(json, string.concat(service, ".endpoint"))).length, 0, "3: endpoint");
            assertGt(bytes(vm.parseJsonString(json, string.concat(service, ".name"))).length, 0);
        }
        assertFalse(vm.keyExistsJson(json, _service(services)), "nothing but what the owner named");
        assertEq(vm.parseJsonStringArray(json, ".supportedTrust").length, 0, "the chain has none of them");
    }

    function _service(uint256 i) private pure returns (string memory) {
        return string.concat(".services[", vm.toString(i), "]");
    }

    function _startsWith(string memory text, string memory prefix) private pure returns (bool) {
        return vm.indexOf(text, prefix) == 0;
    }

    function _profile(string memory name) private pure returns (IBirth.Profile memory profile) {
        profile.name = name;
    }

    function test_file_passesTheExplorerChecksAliveAndDead() public {
        _born("Ada");
        _assertExplorerChecks(identity.tokenURI(golem), 0);
        _kill();
        _assertExplorerChecks(births.registrationFile(golem, _profile("Ada")), 0);
        _settle();
        _assertExplorerChecks(births.registrationFile(golem, _profile("Ada")), 0);
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
        assertEq(vm.parseJsonString(json, ".golem.vault"), _caip(address(vault)));
        assertEq(vm.parseJsonString(json, ".golem.lineageRegistry"), _caip(suite.lineage));
        assertEq(vm.parseJsonUint(json, ".golem.lineage"), golem);
        assertEq(vm.parseJsonUint(json, ".golem.generation"), 0);
        assertEq(vm.parseJsonUint(json, ".golem.bornAt"), block.timestamp);
        assertTrue(vm.contains(json, '"predecessor":null'));
    }

    /// @dev L-013: nothing that goes stale by itself; a phase or a vitality would.
    function test_file_ofALivingGolemDoesNotChangeWithItsLife() public {
        _born("Ada");
        string memory born = births.registrationFile(golem, _profile("Ada"));
        assertEq(born, identity.tokenURI(golem));
        _pass(1 days);
        _beat(100, Phase.Terminal);
        vm.prank(OWNER);
        vault.rotateKey(STRANGER);
        assertEq(births.registrationFile(golem, _profile("Ada")), born);
        string memory json = _json(born);
        assertFalse(vm.keyExistsJson(json, ".golem.phase"));
        assertFalse(vm.keyExistsJson(json, ".golem.life"));
        assertFalse(vm.keyExistsJson(json, ".golem.diedAt"));
        assertFalse(vm.keyExistsJson(json, ".golem.cause"));
    }

    /// @dev L-012: description, image and services are the owner's to set.
    function test_file_ofAnOwnersOwnProfile() public {
        _born("Ada");
        IBirth.Profile memory profile = _profile("Ada");
        profile.description = 'Trades "carefully"';
        profile.image = "ipfs://picture";
        profile.x402 = true;
        profile.services = new IBirth.Service[](2);
        profile.services[0] = IBirth.Service("web", "https://ada.example", "");
        profile.services[1] = IBirth.Service("MCP", "https://ada.example/mcp", "2025-06-18");
        string memory uri = births.registrationFile(golem, profile);
        _assertExplorerChecks(uri, 2);
        string memory json = _json(uri);
        assertEq(vm.parseJsonString(json, ".description"), 'Trades "carefully"');
        assertEq(vm.parseJsonString(json, ".image"), "ipfs://picture");
        assertTrue(vm.parseJsonBool(json, ".x402Support"));
        assertEq(vm.parseJsonString(json, ".services[0].name"), "web");
        assertEq(vm.parseJsonString(json, ".services[0].endpoint"), "https://ada.example");
        assertFalse(vm.keyExistsJson(json, ".services[0].version"));
        assertEq(vm.parseJsonString(json, ".services[1].name"), "MCP");
        assertEq(vm.parseJsonString(json, ".services[1].version"), "2025-06-18");
    }

    /// @dev The picture is on chain: an SVG whose lineage colours it.
    function test_file_carriesItsPicture() public {
        _born("Ada");
        assertTrue(vm.contains(_picture(identity.tokenURI(golem)), "<circle"), "eyes while it lives");
        _kill();
        _settle();
        assertFalse(vm.contains(_picture(births.registrationFile(golem, _profile("Ada"))), "<circle"), "none after");
    }

    function _picture(string memory uri) private returns (string memory svg) {
        string memory image = vm.parseJsonString(_json(uri), ".image");
        assertTrue(_startsWith(image, "data:image/svg+xml;base64,"));
        bytes memory whole = bytes(image);
        bytes memory body = new bytes(whole.length - 26);
        for (uint256 i; i < body.length; ++i) {
            body[i] = whole[26 + i];
        }
        svg = string(Base64.decode(string(body)));
        assertTrue(_startsWith(svg, "<svg xmlns="));
        assertTrue(vm.contains(svg, "</svg>"));
    }

    /// @dev L-014: the owner's `setAgentURI` says `active: false` with the cause; the token stays.
    function test_file_ofTheDeadIsSetByItsOwner() public {
        _born("Ada");
        _kill();
        _settle();
        string memory uri = births.registrationFile(golem, _profile("Ada"));
        vm.expectEmit(suite.identity);
        emit IIdentityRegistry.URIUpdated(golem, uri, OWNER);
        vm.prank(OWNER);
        identity.setAgentURI(golem, uri);
        string memory json = _json(identity.tokenURI(golem));
        assertFalse(vm.parseJsonBool(json, ".active"));
        assertEq(vm.parseJsonString(json, ".golem.cause"), "OwnerKill");
        assertEq(vm.parseJsonUint(json, ".golem.diedAt"), block.timestamp);
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
        assertEq(vm.parseJsonUint(json, ".golem.predecessor"), first);
        assertEq(vm.parseJsonUint(json, ".golem.generation"), 1);
        assertEq(vm.parseJsonUint(json, ".golem.lineage"), first);
    }

    /// @dev A name is the owner's text and must not be able to write fields of its own.
    function test_file_escapesTheName() public {
        string memory name = 'A"da\\, "active":false\n\t\x01';
        _born(name);
        string memory json = _json(identity.tokenURI(golem));
        assertEq(vm.parseJsonString(json, ".name"), name);
        assertTrue(vm.parseJsonBool(json, ".active"));
        _assertExplorerChecks(identity.tokenURI(golem), 0);
    }

    function test_file_aUriOfOnesOwnIsKept() public {
        _giveBirth(_order());
        assertEq(identity.tokenURI(golem), _order().agentURI);
    }
}
