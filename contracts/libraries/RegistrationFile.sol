// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Base64} from "solady/utils/Base64.sol";
import {LibString} from "solady/utils/LibString.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {NO_GOLEM} from "contracts/types/Life.sol";

/// @title A registration file of ERC-8004 that needs no server (L-012, L-013)
/// @dev registration-v1 in base64, with the picture inside. `services` has kinds of the standard alone, because clients fail
/// at others; what is ours stands in an object of our own, `golem`. Nothing in it goes stale by itself but `active`, which
/// has room for the word that `Epitaph` writes after death.
library RegistrationFile {
    using LibString for string;
    using LibString for uint256;
    using LibString for address;

    /// @dev How a file begins.
    string internal constant PREFIX = "data:application/json;base64,";
    /// @dev Two ways to say it of one length, so that writing the one over the other moves nothing behind it.
    string internal constant ACTIVE = '"active":true ';
    string internal constant INACTIVE = '"active":false';

    /// @notice The whole file as a `data:` URI.
    /// @param g The Golem's view.
    /// @param profile As given by the owner; escaped here.
    /// @param identity The identity registry.
    /// @param registry The lineage registry.
    function build(
        ILineageRegistry.GolemView memory g,
        IBirth.Profile memory profile,
        address identity,
        address registry
    ) internal view returns (string memory) {
        bytes memory json = abi.encodePacked(
            '{"type":"https://eips.ethereum.org/EIPS/eip-8004#registration-v1",',
            _profile(g, profile),
            _services(profile),
            g.died == 0 ? ACTIVE : INACTIVE,
            _registrations(g, identity),
            _golem(g, registry)
        );
        return string.concat(PREFIX, Base64.encode(json));
    }

    function _profile(ILineageRegistry.GolemView memory g, IBirth.Profile memory profile)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(
            '"name":"',
            profile.name.escapeJSON(),
            '","description":"',
            bytes(profile.description).length == 0
                ? "A Golem: a mortal DeFi agent. Its vault, lineage and death are on chain."
                : profile.description.escapeJSON(),
            '","image":"',
            bytes(profile.image).length == 0 ? _image(g) : profile.image.escapeJSON(),
            '",'
        );
    }

    function _services(IBirth.Profile memory profile) private pure returns (bytes memory list) {
        for (uint256 i; i < profile.services.length; ++i) {
            IBirth.Service memory service = profile.services[i];
            list = abi.encodePacked(
                list,
                i == 0 ? '{"name":"' : ',{"name":"',
                service.name.escapeJSON(),
                '","endpoint":"',
                service.endpoint.escapeJSON(),
                bytes(service.version).length == 0
                    ? '"}'
                    : string.concat('","version":"', service.version.escapeJSON(), '"}')
            );
        }
        return abi.encodePacked(
            '"services":[', list, '],"x402Support":', profile.x402 ? "true" : "false", ',"supportedTrust":[],'
        );
    }

    function _registrations(ILineageRegistry.GolemView memory g, address identity) private view returns (bytes memory) {
        return abi.encodePacked(
            ',"registrations":[{"agentId":', g.agentId.toString(), ',"agentRegistry":"', _caip10(identity), '"}],'
        );
    }

    /// @dev Facts of birth, which never change, and of death, once there was one.
    function _golem(ILineageRegistry.GolemView memory g, address registry) private view returns (bytes memory) {
        return abi.encodePacked(
            '"golem":{"vault":"',
            _caip10(g.vault),
            '","lineageRegistry":"',
            _caip10(registry),
            '","lineage":',
            g.lineage.toString(),
            ',"generation":',
            g.generation.toString(),
            ',"predecessor":',
            g.predecessor == NO_GOLEM ? "null" : g.predecessor.toString(),
            ',"bornAt":',
            g.born.toString(),
            _death(g)
        );
    }

    function _death(ILineageRegistry.GolemView memory g) private pure returns (string memory) {
        return g.died == 0 ? "}}" : string.concat(',"diedAt":', g.died.toString(), ',"cause":"', g.cause, '"}}');
    }

    /// @dev A clay figure whose colour is its lineage and whose marks are its generation; grey and eyeless once dead.
    function _image(ILineageRegistry.GolemView memory g) private pure returns (string memory) {
        bool over = g.died != 0;
        bytes memory svg = abi.encodePacked(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#14110f"/>',
            '<path d="M30 84V50q0-8 8-10V24q0-8 10-8t10 8v16q8 2 8 10v34z" fill="hsl(',
            ((g.lineage * 137) % 360).toString(),
            over ? ',0%,40%)"/>' : ',45%,52%)"/>',
            over
                ? '<path d="M43 27h4m2 0h4" stroke="#14110f"/>'
                : '<circle cx="44" cy="27" r="2" fill="#ffd27a"/><circle cx="52" cy="27" r="2" fill="#ffd27a"/>',
            '<text x="48" y="66" font-size="12" text-anchor="middle" fill="#14110f">',
            g.generation.toString(),
            "</text></svg>"
        );
        return string.concat("data:image/svg+xml;base64,", Base64.encode(svg));
    }

    /// @dev `eip155:<chain>:<address>`, as the standard names registries and wallets.
    function _caip10(address account) private view returns (string memory) {
        return string.concat("eip155:", block.chainid.toString(), ":", account.toHexString());
    }
}
