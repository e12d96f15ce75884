// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {NameLib} from "contracts/libraries/NameLib.sol";
import {RegistrationFile} from "contracts/libraries/RegistrationFile.sol";
import {Cause, Life, NO_GOLEM, Phase} from "contracts/types/Life.sol";

/// @title The registration file, decoded here and read by another's JSON parser (L-012, L-013, L-014)
contract RegistrationFileFuzzTest is Test {
    string private constant PREFIX = "data:application/json;base64,";
    string private constant IMAGE = "data:image/svg+xml;base64,";

    /// @dev Base64 by the book: six bits a letter, `=` for what is missing.
    function _decode(string memory uri, string memory prefix) private pure returns (string memory) {
        bytes memory text = bytes(uri);
        uint256 from = bytes(prefix).length;
        for (uint256 i; i < from; ++i) {
            assertEq(text[i], bytes(prefix)[i], "another prefix");
        }
        assertEq((text.length - from) % 4, 0, "base64 comes in fours");
        uint256 padding;
        while (text[text.length - 1 - padding] == "=") ++padding;
        bytes memory out = new bytes((text.length - from) / 4 * 3 - padding);
        uint256 held;
        uint256 bits;
        uint256 at;
        for (uint256 i = from; i < text.length - padding; ++i) {
            held = (held << 6 | _six(uint8(text[i]))) & 0xffff;
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                out[at++] = bytes1(uint8(held >> bits));
            }
        }
        return string(out);
    }

    function _six(uint8 letter) private pure returns (uint256) {
        if (letter >= 65 && letter <= 90) return letter - 65;
        if (letter >= 97 && letter <= 122) return letter - 71;
        if (letter >= 48 && letter <= 57) return letter + 4;
        return letter == 43 ? 62 : 63;
    }

    function _hex(address account) private pure returns (string memory) {
        return vm.toLowercase(vm.toString(account));
    }

    /// @dev Any name of ASCII, quotes, backslashes and control characters among them, with some letters of two bytes.
    function _name(bytes memory seed) private pure returns (string memory) {
        for (uint256 i; i < seed.length; ++i) {
            seed[i] = bytes1(uint8(seed[i]) & 0x7f);
        }
        return string.concat(string(seed), unicode"é");
    }

    function testFuzz_build_isReadByAnyParser(ILineageRegistry.GolemView memory g, bytes memory nameSeed, uint8 states)
        public
    {
        vm.chainId(8453);
        g.life = NameLib.nameOf(Life(states % 4));
        g.phase = NameLib.nameOf(Phase(states % 5));
        g.cause = NameLib.nameOf(Cause(states % 6));
        // A JSON number any parser holds; ids, generations and times are at most 48 bits in the registry.
        g.agentId %= 2 ** 32;
        g.lineage %= 2 ** 32;
        g.generation %= 2 ** 16;
        g.born %= 2 ** 48;
        g.died = states & 64 == 0 ? 0 : g.died % 2 ** 48;
        g.predecessor = states & 128 == 0 ? NO_GOLEM : g.predecessor % 2 ** 32;
        string memory name = _name(nameSeed);
        string memory json = _decode(RegistrationFile.build(g, name, address(0x8004), address(0x11ea)), PREFIX);

        assertEq(vm.parseJsonString(json, ".type"), "https://eips.ethereum.org/EIPS/eip-8004#registration-v1");
        assertEq(vm.parseJsonString(json, ".name"), name, "the name came back changed");
        assertGt(bytes(vm.parseJsonString(json, ".description")).length, 0);
        assertEq(vm.parseJsonBool(json, ".active"), g.died == 0, "L-014");
        assertFalse(vm.parseJsonBool(json, ".x402Support"));
        assertEq(vm.parseJsonUint(json, ".registrations[0].agentId"), g.agentId);
        assertEq(
            vm.parseJsonString(json, ".registrations[0].agentRegistry"),
            string.concat("eip155:8453:", _hex(address(0x8004)))
        );
        _assertServices(json, g.vault);
        _assertLineage(json, g);
        _assertMortality(json, g);
        _decode(vm.parseJsonString(json, ".image"), IMAGE);
    }

    /// @dev Explorers warn of a service without an endpoint.
    function _assertServices(string memory json, address vault) private view {
        assertEq(vm.parseJsonString(json, ".services[0].endpoint"), string.concat("eip155:8453:", _hex(vault)));
        assertEq(vm.parseJsonString(json, ".services[1].name"), "lineage");
        assertEq(
            vm.parseJsonString(json, ".services[1].endpoint"), string.concat("eip155:8453:", _hex(address(0x11ea)))
        );
        assertFalse(vm.keyExistsJson(json, ".services[2]"));
    }

    function _assertLineage(string memory json, ILineageRegistry.GolemView memory g) private view {
        assertEq(vm.parseJsonUint(json, ".lineage.id"), g.lineage);
        assertEq(vm.parseJsonUint(json, ".lineage.generation"), g.generation);
        assertEq(vm.parseJsonAddress(json, ".lineage.vault"), g.vault);
        if (g.predecessor == NO_GOLEM) _assertNull(json, ".lineage.predecessor");
        else assertEq(vm.parseJsonUint(json, ".lineage.predecessor"), g.predecessor);
    }

    function _assertMortality(string memory json, ILineageRegistry.GolemView memory g) private view {
        assertEq(vm.parseJsonString(json, ".mortality.life"), g.life);
        assertEq(vm.parseJsonString(json, ".mortality.phase"), g.phase);
        assertEq(vm.parseJsonUint(json, ".mortality.bornAt"), g.born);
        if (g.died == 0) {
            _assertNull(json, ".mortality.diedAt");
            _assertNull(json, ".mortality.cause");
        } else {
            assertEq(vm.parseJsonUint(json, ".mortality.diedAt"), g.died);
            assertEq(vm.parseJsonString(json, ".mortality.cause"), g.cause);
        }
    }

    /// @dev There, and neither a number nor a text.
    function _assertNull(string memory json, string memory key) private view {
        assertTrue(vm.keyExistsJson(json, key));
        bool isNumber = true;
        try vm.parseJsonUint(json, key) returns (uint256) {}
        catch {
            isNumber = false;
        }
        assertFalse(isNumber, "a number where nothing is known");
    }
}
