// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

import {Epitaph} from "contracts/Epitaph.sol";
import {IdentityRegistry} from "contracts/IdentityRegistry.sol";
import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IEpitaph} from "contracts/interfaces/IEpitaph.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {NameLib} from "contracts/libraries/NameLib.sol";
import {RegistrationFile} from "contracts/libraries/RegistrationFile.sol";
import {Cause, Life, NO_GOLEM} from "contracts/types/Life.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title The registration file, decoded here and read by another's JSON parser (L-012, L-013, L-014)
contract RegistrationFileFuzzTest is Test {
    string private constant PREFIX = "data:application/json;base64,";
    string private constant IMAGE = "data:image/svg+xml;base64,";
    address private constant LINEAGE = address(0x11ea);

    IdentityRegistry private _identity;
    Epitaph private _epitaph;

    function setUp() public {
        vm.chainId(8453);
        _identity = new IdentityRegistry();
        Suite memory suite;
        (suite.identity, suite.lineage) = (address(_identity), LINEAGE);
        _epitaph = new Epitaph(suite);
    }

    /* READING */

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

    function _caip(address account) private pure returns (string memory) {
        return string.concat("eip155:8453:", vm.toLowercase(vm.toString(account)));
    }

    /* WRITING */

    /// @dev Any text of ASCII, quotes, backslashes and control characters among them, with letters of two and four bytes; and
    /// at times the very words that the file itself is made of.
    function _text(bytes memory seed, uint256 salt) private pure returns (string memory) {
        for (uint256 i; i < seed.length; ++i) {
            seed[i] = bytes1(uint8(seed[i]) & 0x7f);
        }
        string[4] memory tails = [unicode"é", unicode"🜁", '"active":true ', '","active":true ,"x":"\\"}]}'];
        return string.concat(string(seed), tails[salt % 4]);
    }

    function _profile(bytes[5] memory texts, uint256 salt) private pure returns (IBirth.Profile memory profile) {
        profile.name = _text(texts[0], salt);
        if (salt & 16 != 0) profile.description = _text(texts[1], salt >> 1);
        if (salt & 32 != 0) profile.image = _text(texts[2], salt >> 2);
        profile.x402 = salt & 64 != 0;
        profile.services = new IBirth.Service[]((salt >> 8) % 4);
        for (uint256 i; i < profile.services.length; ++i) {
            profile.services[i] = IBirth.Service(
                _text(abi.encodePacked(texts[3], uint8(i)), salt >> 3),
                _text(abi.encodePacked(texts[4], uint8(i)), salt >> 4),
                (salt >> i) & 512 == 0 ? "" : _text(texts[0], salt >> 5)
            );
        }
    }

    /// @dev A JSON number any parser holds; ids, generations and times are at most 48 bits in the registry.
    function _golem(ILineageRegistry.GolemView memory g, uint256 states) private pure {
        g.life = NameLib.nameOf(Life(states % 4));
        g.cause = NameLib.nameOf(Cause(states % 6));
        g.agentId %= 2 ** 32;
        g.lineage %= 2 ** 32;
        g.generation %= 2 ** 16;
        g.born %= 2 ** 48;
        g.died = states & 64 == 0 ? 0 : g.died % 2 ** 48;
        g.predecessor = states & 128 == 0 ? NO_GOLEM : g.predecessor % 2 ** 32;
    }

    /* LAWS */

    /// forge-config: deep.fuzz.runs = 1000
    function testFuzz_build_isReadByAnyParser(
        ILineageRegistry.GolemView memory g,
        bytes[5] memory texts,
        uint256 salt,
        uint8 states
    ) public view {
        _golem(g, states);
        IBirth.Profile memory profile = _profile(texts, salt);
        string memory json = _decode(RegistrationFile.build(g, profile, address(0x8004), LINEAGE), PREFIX);

        assertEq(vm.parseJsonString(json, ".type"), "https://eips.ethereum.org/EIPS/eip-8004#registration-v1");
        assertEq(vm.parseJsonBool(json, ".active"), g.died == 0, "L-014");
        assertEq(vm.parseJsonUint(json, ".registrations[0].agentId"), g.agentId);
        assertEq(vm.parseJsonString(json, ".registrations[0].agentRegistry"), _caip(address(0x8004)));
        assertFalse(vm.keyExistsJson(json, ".registrations[1]"));
        _assertProfile(json, profile);
        _assertServices(json, profile.services);
        _assertGolem(json, g);
        _assertNothingElse(json, g.died != 0);
    }

    /// @dev What the owner said comes back to the letter; what he did not say is filled in.
    function _assertProfile(string memory json, IBirth.Profile memory profile) private pure {
        assertEq(vm.parseJsonString(json, ".name"), profile.name, "the name came back changed");
        string memory description = vm.parseJsonString(json, ".description");
        if (bytes(profile.description).length == 0) assertGt(bytes(description).length, 0);
        else assertEq(description, profile.description, "the description came back changed");
        string memory image = vm.parseJsonString(json, ".image");
        if (bytes(profile.image).length == 0) _decode(image, IMAGE);
        else assertEq(image, profile.image, "the image came back changed");
        assertEq(vm.parseJsonBool(json, ".x402Support"), profile.x402);
    }

    /// @dev The owner's services and no other: clients fail at kinds they do not know.
    function _assertServices(string memory json, IBirth.Service[] memory services) private view {
        for (uint256 i; i < services.length; ++i) {
            string memory at = string.concat(".services[", vm.toString(i), "]");
            assertEq(vm.parseJsonString(json, string.concat(at, ".name")), services[i].name);
            assertEq(vm.parseJsonString(json, string.concat(at, ".endpoint")), services[i].endpoint);
            bool versioned = bytes(services[i].version).length != 0;
            assertEq(vm.keyExistsJson(json, string.concat(at, ".version")), versioned);
            if (versioned) assertEq(vm.parseJsonString(json, string.concat(at, ".version")), services[i].version);
        }
        assertTrue(vm.keyExistsJson(json, ".services"));
        assertFalse(vm.keyExistsJson(json, string.concat(".services[", vm.toString(services.length), "]")));
        assertTrue(vm.keyExistsJson(json, ".supportedTrust"));
        assertFalse(vm.keyExistsJson(json, ".supportedTrust[0]"), "a trust that the chain does not have");
    }

    function _assertGolem(string memory json, ILineageRegistry.GolemView memory g) private view {
        assertEq(vm.parseJsonString(json, ".golem.vault"), _caip(g.vault));
        assertEq(vm.parseJsonString(json, ".golem.lineageRegistry"), _caip(LINEAGE));
        assertEq(vm.parseJsonUint(json, ".golem.lineage"), g.lineage);
        assertEq(vm.parseJsonUint(json, ".golem.generation"), g.generation);
        assertEq(vm.parseJsonUint(json, ".golem.bornAt"), g.born);
        if (g.predecessor == NO_GOLEM) _assertNull(json, ".golem.predecessor");
        else assertEq(vm.parseJsonUint(json, ".golem.predecessor"), g.predecessor);
        if (g.died == 0) return;
        assertEq(vm.parseJsonUint(json, ".golem.diedAt"), g.died);
        assertEq(vm.parseJsonString(json, ".golem.cause"), g.cause);
    }

    /// @dev L-013: no field that goes stale by itself. Text that ends a string early would show as a field of its own.
    function _assertNothingElse(string memory json, bool dead) private pure {
        assertEq(vm.parseJsonKeys(json, "$").length, 10, "a field of its own");
        assertEq(vm.parseJsonKeys(json, ".golem").length, dead ? 8 : 6, "a field of its own");
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

    /* THE EPITAPH */

    /// @dev The two ways to say it are as long as each other, and each is a whole field.
    function test_active_saysBothInOneLength() public pure {
        assertEq(bytes(RegistrationFile.ACTIVE).length, bytes(RegistrationFile.INACTIVE).length);
        assertTrue(vm.parseJsonBool(string.concat("{", RegistrationFile.ACTIVE, "}"), ".active"));
        assertFalse(vm.parseJsonBool(string.concat("{", RegistrationFile.INACTIVE, "}"), ".active"));
    }

    /// @dev L-014: of the whole file, whatever its owner wrote in it, one word changes, once.
    /// forge-config: deep.fuzz.runs = 1000
    function testFuzz_epitaph_changesOneWord(
        ILineageRegistry.GolemView memory g,
        bytes[5] memory texts,
        uint256 salt,
        uint8 states,
        address by
    ) public {
        _golem(g, states & 0xbf);
        IBirth.Profile memory profile = _profile(texts, salt);
        string memory alive = RegistrationFile.build(g, profile, address(_identity), LINEAGE);
        uint256 id = _identity.register(alive);
        _identity.approve(address(_epitaph), id);
        _setLife(id, Life.Dead);
        assertTrue(_epitaph.canWrite(id));
        vm.prank(by);
        _epitaph.write(id);

        bytes memory before = bytes(_decode(alive, PREFIX));
        bytes memory later = bytes(_decode(_identity.tokenURI(id), PREFIX));
        assertEq(later.length, before.length, "something moved");
        // `true ` and `false` share the e alone, at different places.
        uint256 changed;
        uint256 first = before.length;
        for (uint256 i; i < before.length; ++i) {
            if (before[i] == later[i]) continue;
            if (first == before.length) first = i;
            ++changed;
            assertLt(i - first, 5, "a second word");
        }
        assertEq(changed, 5);
        assertFalse(vm.parseJsonBool(string(later), ".active"));
        _assertProfile(string(later), profile);
        _assertServices(string(later), profile.services);
        _assertGolem(string(later), g);
        _assertNothingElse(string(later), false);

        assertFalse(_epitaph.canWrite(id), "there is nothing more to say");
        vm.expectRevert(abi.encodeWithSelector(IEpitaph.NothingToWrite.selector, id));
        _epitaph.write(id);
    }

    /// @dev Of the living it says nothing, and without the owner's leave neither.
    function testFuzz_epitaph_needsADeathAndLeave(uint8 lifeSeed, bool leave, string memory name) public {
        IBirth.Profile memory profile;
        profile.name = name;
        ILineageRegistry.GolemView memory g;
        uint256 id = _identity.register(RegistrationFile.build(g, profile, address(_identity), LINEAGE));
        if (leave) _identity.approve(address(_epitaph), id);
        Life life = Life(lifeSeed % 4);
        _setLife(id, life);
        bool writes = leave && life == Life.Dead;
        assertEq(_epitaph.canWrite(id), writes);
        if (life != Life.Dead) {
            vm.expectRevert(abi.encodeWithSelector(ILineageRegistry.WrongLife.selector, id, life, Life.Dead));
        } else if (!leave) {
            vm.expectRevert(abi.encodeWithSelector(IEpitaph.NotLet.selector, id));
        }
        _epitaph.write(id);
    }

    /// @dev A file that stands elsewhere, or is not ours, is left alone.
    function testFuzz_epitaph_leavesOtherFilesAlone(string memory uri) public {
        uint256 id = _identity.register(string.concat("ipfs://", uri));
        _identity.approve(address(_epitaph), id);
        _setLife(id, Life.Dead);
        assertFalse(_epitaph.canWrite(id));
        vm.expectRevert(abi.encodeWithSelector(IEpitaph.NothingToWrite.selector, id));
        _epitaph.write(id);
    }

    function _setLife(uint256 id, Life life) private {
        vm.mockCall(LINEAGE, abi.encodeCall(ILineageRegistry.vitalOf, (id)), abi.encode(address(0), life));
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }
}
