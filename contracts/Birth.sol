// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ReentrancyGuardTransient} from "solady/utils/ReentrancyGuardTransient.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {IBirth} from "contracts/interfaces/IBirth.sol";
import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";
import {ILineageRegistry} from "contracts/interfaces/ILineageRegistry.sol";
import {IVaultOwner} from "contracts/interfaces/IVaultOwner.sol";
import {IVaultRules} from "contracts/interfaces/IVaultRules.sol";
import {PolicyLib} from "contracts/libraries/PolicyLib.sol";
import {RegistrationFile} from "contracts/libraries/RegistrationFile.sol";
import {SettlementLib} from "contracts/libraries/SettlementLib.sol";
import {UsdcLib} from "contracts/libraries/UsdcLib.sol";
import {SuiteBound} from "contracts/SuiteBound.sol";
import {NO_GOLEM} from "contracts/types/Life.sol";
import {Suite} from "contracts/types/Suite.sol";

/// @title Birth
/// @dev Holds nothing between transactions and no approval over any token after one (L-001). Everything happens in one
/// call, so whatever fails undoes all of it (L-005).
contract Birth is SuiteBound, ReentrancyGuardTransient, IBirth, IERC721Receiver {
    constructor(Suite memory suite_) SuiteBound(suite_) {}

    /* BIRTH */

    /// @inheritdoc IBirth
    function birth(Order calldata order, Funding calldata funding)
        external
        nonReentrant
        returns (uint256 agentId, address vault)
    {
        if (order.owner == address(0) || order.funder == address(0) || order.key == address(0)) {
            revert ZeroParty();
        }
        if (order.policy.length > 1) revert TooManyPolicies(order.policy.length);
        bool signed = funding.kind == FundingKind.Authorisation;
        if (!signed && msg.sender != order.funder) revert NotFunder(msg.sender, order.funder);
        if (order.predecessor != NO_GOLEM) _requireHeir(order, signed);

        // Asked first: a collision in CREATE2 would burn all the gas of him who came second.
        bytes32 salt = _salt(order);
        vault = Clones.predictDeterministicAddress(VAULT, salt);
        if (vault.code.length != 0) revert AlreadyBorn(vault);
        // EIP-1167 to the letter: explorers know that pattern, show the vault's functions and give `kill` its button.
        Clones.cloneDeterministic(VAULT, salt);
        // A file of one's own is known before the id; ours names the id, so it is written after.
        agentId = IIdentityRegistry(IDENTITY).register(order.agentURI);
        (uint256 lineage, uint256 generation) = ILineageRegistry(LINEAGE)
            .recordBirth(agentId, vault, order.key, order.owner, order.predecessor, order.playbookDigest);
        _describe(order, agentId, vault, lineage, generation);
        _fund(order, funding, agentId, vault);
        // Last, and without a hook: the transfer also clears the agent wallet that `register` pointed at us (L-013).
        IERC721(IDENTITY).transferFrom(address(this), order.owner, agentId);
    }

    /// @inheritdoc IBirth
    function vaultAddress(Order calldata order) public view returns (address) {
        return Clones.predictDeterministicAddress(VAULT, _salt(order));
    }

    /// @inheritdoc IBirth
    function birthHash(Order calldata order) public view returns (bytes32) {
        return keccak256(
            abi.encode(
                block.chainid,
                address(this),
                _salt(order),
                order.credits,
                order.capital,
                order.playbookDigest,
                keccak256(bytes(order.name)),
                keccak256(bytes(order.agentURI))
            )
        );
    }

    /// @dev L-004. Everything that decides who rules the vault is in its address.
    function _salt(Order calldata order) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                order.owner,
                order.funder,
                order.key,
                order.guardian,
                PolicyLib.hashOf(order.policy),
                keccak256(abi.encode(order.listings)),
                order.predecessor,
                order.nonce
            )
        );
    }

    /// @dev L-021. The owner speaks by calling, by the authorisation that carries the birth's hash, or by a mandate,
    /// whose terms the succession contract has checked.
    function _requireHeir(Order calldata order, bool signed) private view {
        address heir = SettlementLib.tryOwnerOf(IDENTITY, order.predecessor);
        if (heir == address(0)) revert PredecessorUnknown(order.predecessor);
        if (order.owner != heir) revert NotPredecessorOwner(order.predecessor, order.owner, heir);
        if (msg.sender == heir || msg.sender == SUCCESSION) return;
        if (!signed || order.funder != heir) revert NotPredecessorOwner(order.predecessor, msg.sender, heir);
    }

    function _fund(Order calldata order, Funding calldata funding, uint256 agentId, address vault) private {
        uint256 amount = order.credits + order.capital;
        IVaultRules.Authorisation memory authorisation;
        if (funding.kind == FundingKind.Authorisation) {
            // Bound to this birth and no other: the nonce is its hash, the payee its vault.
            authorisation = IVaultRules.Authorisation(
                order.funder, amount, funding.validAfter, funding.validBefore, birthHash(order), funding.signature
            );
        } else {
            if (funding.kind == FundingKind.Permit) {
                UsdcLib.tryPermit(USDC, order.funder, amount, funding.validBefore, funding.signature);
            }
            SafeTransferLib.safeTransferFrom(USDC, order.funder, vault, amount);
        }
        IVaultOwner(vault).initialise(agentId, order, authorisation, _ownerSpoke(order, authorisation.from));
    }

    /// @dev L-006. The owner speaks by calling, by the authorisation that carries the birth's hash, or by a mandate.
    function _ownerSpoke(Order calldata order, address signer) private view returns (bool) {
        return msg.sender == order.owner || msg.sender == SUCCESSION || signer == order.owner;
    }

    /* DESCRIPTION */

    /// @inheritdoc IBirth
    function registrationFile(uint256 agentId, Profile memory profile) public view returns (string memory) {
        return RegistrationFile.build(ILineageRegistry(LINEAGE).golem(agentId), profile, IDENTITY, LINEAGE);
    }

    /// @dev L-013. One key of 31 bytes, which is one slot: lineage u32, generation u16, predecessor u40 (all ones for
    /// none), vault.
    function _describe(Order calldata order, uint256 agentId, address vault, uint256 lineage, uint256 generation)
        private
    {
        // NO_GOLEM truncates to all ones; any other predecessor was found in the registry, so it is below 2^32.
        bytes memory golem = abi.encodePacked(uint32(lineage), uint16(generation), uint40(order.predecessor), vault);
        IIdentityRegistry(IDENTITY).setMetadata(agentId, "golem", golem);
        if (bytes(order.agentURI).length == 0) {
            Profile memory profile;
            profile.name = order.name;
            IIdentityRegistry(IDENTITY).setAgentURI(agentId, registrationFile(agentId, profile));
        }
    }

    /// @dev `register` mints safely to its caller. Tokens sent by anybody else are refused.
    function onERC721Received(address operator, address from, uint256 tokenId, bytes calldata data)
        external
        view
        returns (bytes4 selector)
    {
        // Named for whoever reads the ABI.
        (operator, tokenId, data);
        if (msg.sender != IDENTITY || from != address(0)) return 0;
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @dev Transient storage on every chain: the suite targets Cancun.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
