// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {Base64} from "solady/utils/Base64.sol";
import {LibString} from "solady/utils/LibString.sol";

import {IEpitaph} from "contracts/interfaces/IEpitaph.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {RegistrationFile} from "contracts/libraries/RegistrationFile.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {Life} from "contracts/types/Life.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title The epitaph: a dead Golem's registration file says that it is no longer active (L-014)
/// @dev An owner may approve this contract for his token. All that it can do with that is here: change one word of the
/// file of a Golem that the registry of lives calls dead. The caller chooses nothing, so a stranger may call.
contract Epitaph is SuiteBound, IEpitaph {
    using LibString for string;

    constructor(Suite memory suite_) SuiteBound(suite_) {}

    /// @inheritdoc IEpitaph
    function write(uint256 agentId) external {
        (, Life life) = ILineageRegistry(LINEAGE).vitalOf(agentId);
        if (life != Life.Dead) revert ILineageRegistry.WrongLife(agentId, life, Life.Dead);
        if (!IIdentityRegistry(IDENTITY).isAuthorizedOrOwner(address(this), agentId)) revert NotLet(agentId);
        (string memory json, uint256 at) = _find(agentId);
        if (at == LibString.NOT_FOUND) revert NothingToWrite(agentId);
        json = string.concat(
            json.slice(0, at), RegistrationFile.INACTIVE, json.slice(at + bytes(RegistrationFile.ACTIVE).length)
        );
        IIdentityRegistry(IDENTITY)
            .setAgentURI(agentId, string.concat(RegistrationFile.PREFIX, Base64.encode(bytes(json))));
    }

    /// @inheritdoc IEpitaph
    function canWrite(uint256 agentId) external view returns (bool) {
        (, Life life) = ILineageRegistry(LINEAGE).vitalOf(agentId);
        if (life != Life.Dead || !IIdentityRegistry(IDENTITY).isAuthorizedOrOwner(address(this), agentId)) {
            return false;
        }
        (, uint256 at) = _find(agentId);
        return at != LibString.NOT_FOUND;
    }

    /// @dev The file's text and where it says that it is active. Quotes inside a name or a description are escaped, so the
    /// words cannot stand there.
    function _find(uint256 agentId) private view returns (string memory json, uint256 at) {
        string memory uri = IERC721Metadata(IDENTITY).tokenURI(agentId);
        if (!uri.startsWith(RegistrationFile.PREFIX)) return ("", LibString.NOT_FOUND);
        json = string(Base64.decode(uri.slice(bytes(RegistrationFile.PREFIX).length)));
        return (json, json.indexOf(RegistrationFile.ACTIVE));
    }
}
