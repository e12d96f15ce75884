// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Base64} from "solady/utils/Base64.sol";
import {LibString} from "solady/utils/LibString.sol";

import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {NO_GOLEM} from "contracts/types/Life.sol";

/// @title A registration file of ERC-8004 that needs no server (L-012, L-013)
/// @dev registration-v1 in base64, with the picture inside. What explorers check: the type, `services` with endpoints,
/// a content-addressed URI. Extra objects `lineage` and `mortality` show in their raw viewers.
library RegistrationFile {
    using LibString for string;
    using LibString for uint256;
    using LibString for address;

    /// @notice The whole file as a `data:` URI.
    /// @param g The Golem's view.
    /// @param name As given by the owner; escaped here.
    /// @param identity The identity registry.
    /// @param registry The lineage registry, named as the lineage service.
    function build(ILineageRegistry.GolemView memory g, string memory name, address identity, address registry)
        internal
        view
        returns (string memory)
    {
        bytes memory json = abi.encodePacked(
            '{"type":"https://eips.ethereum.org/EIPS/eip-8004#registration-v1","name":"',
            name.escapeJSON(),
            '","description":"A Golem: a mortal DeFi agent. Its vault, lineage and death are on chain.","image":"',
            _image(g),
            '",',
            _services(g, registry),
            _registrations(g, identity),
            _lineage(g),
            _mortality(g),
            '"supportedTrust":["reputation"]}'
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    function _services(ILineageRegistry.GolemView memory g, address registry) private view returns (bytes memory) {
        return abi.encodePacked(
            '"services":[{"name":"vault","endpoint":"',
            _caip10(g.vault),
            '"},{"name":"lineage","endpoint":"',
            _caip10(registry),
            '","version":"1"}],"x402Support":false,"active":',
            _isOver(g) ? "false," : "true,"
        );
    }

    function _registrations(ILineageRegistry.GolemView memory g, address identity) private view returns (bytes memory) {
        return abi.encodePacked(
            '"registrations":[{"agentId":', g.agentId.toString(), ',"agentRegistry":"', _caip10(identity), '"}],'
        );
    }

    function _lineage(ILineageRegistry.GolemView memory g) private pure returns (bytes memory) {
        return abi.encodePacked(
            '"lineage":{"id":',
            g.lineage.toString(),
            ',"generation":',
            g.generation.toString(),
            ',"predecessor":',
            g.predecessor == NO_GOLEM ? "null" : g.predecessor.toString(),
            ',"vault":"',
            g.vault.toHexString(),
            '"},'
        );
    }

    function _mortality(ILineageRegistry.GolemView memory g) private pure returns (bytes memory) {
        return abi.encodePacked(
            '"mortality":{"life":"',
            g.life,
            '","phase":"',
            g.phase,
            '","bornAt":',
            g.born.toString(),
            ',"diedAt":',
            g.died == 0 ? "null" : g.died.toString(),
            ',"cause":',
            _isOver(g) ? string.concat('"', g.cause, '"') : "null",
            "},"
        );
    }

    /// @dev A clay figure whose colour is its lineage and whose marks are its generation; grey and eyeless once dead.
    function _image(ILineageRegistry.GolemView memory g) private pure returns (string memory) {
        bool over = _isOver(g);
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

    function _isOver(ILineageRegistry.GolemView memory g) private pure returns (bool) {
        return g.died != 0;
    }

    /// @dev `eip155:<chain>:<address>`, as the standard names registries and wallets.
    function _caip10(address account) private view returns (string memory) {
        return string.concat("eip155:", block.chainid.toString(), ":", account.toHexString());
    }
}
