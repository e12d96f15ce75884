// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {IIdentityRegistry} from "contracts/interfaces/IIdentityRegistry.sol";

/// @title The Identity Registry of ERC-8004 for chains that have none (L-010, L-011)
/// @dev Behaves toward a client as the deployed v2.0.0 does, except that nobody can upgrade or own it and that refusals
/// are typed. Ids start at 0 and only grow; tokens are never burned (L-014).
///
/// `agentWallet` has a mapping of its own instead of a bytes value: it is always an address or nothing, and reading it
/// as one word is what keeps `register` below the gas of the reference (V-040).
contract IdentityRegistry is ERC721, EIP712, IIdentityRegistry, IERC4906 {
    /* CONSTANTS */

    bytes32 private constant AGENT_WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    string private constant AGENT_WALLET = "agentWallet";
    bytes32 private constant AGENT_WALLET_HASH = keccak256("agentWallet");
    uint256 private constant MAX_DEADLINE_DELAY = 5 minutes;

    /* STORAGE */

    uint256 private _nextId;
    mapping(uint256 agentId => address wallet) private _wallets;
    mapping(uint256 agentId => string uri) private _uris;
    mapping(uint256 agentId => mapping(string metadataKey => bytes metadataValue)) private _metadata;

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    /* REGISTERING */

    /// @inheritdoc IIdentityRegistry
    function register() external returns (uint256 agentId) {
        return _register("");
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI) external returns (uint256 agentId) {
        return _register(agentURI);
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId) {
        agentId = _register(agentURI);
        for (uint256 i; i < metadata.length; ++i) {
            _setMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
    }

    function _register(string memory agentURI) private returns (uint256 agentId) {
        agentId = _nextId++;
        _wallets[agentId] = msg.sender;
        if (bytes(agentURI).length != 0) _uris[agentId] = agentURI;
        // The hook of a contract caller runs on a complete registration, before the events, as in the reference.
        _safeMint(msg.sender, agentId);
        emit Registered(agentId, agentURI, msg.sender);
        emit MetadataSet(agentId, AGENT_WALLET, AGENT_WALLET, abi.encodePacked(msg.sender));
    }

    /* FILE AND METADATA */

    /// @inheritdoc IIdentityRegistry
    function setAgentURI(uint256 agentId, string calldata newURI) external {
        _requireAuthorized(agentId);
        _uris[agentId] = newURI;
        emit MetadataUpdate(agentId);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @inheritdoc ERC721
    function tokenURI(uint256 agentId) public view override returns (string memory) {
        _requireOwned(agentId);
        return _uris[agentId];
    }

    /// @inheritdoc IIdentityRegistry
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        if (keccak256(bytes(metadataKey)) != AGENT_WALLET_HASH) return _metadata[agentId][metadataKey];
        address wallet = _wallets[agentId];
        return wallet == address(0) ? bytes("") : abi.encodePacked(wallet);
    }

    /// @inheritdoc IIdentityRegistry
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external {
        _requireAuthorized(agentId);
        _setMetadata(agentId, metadataKey, metadataValue);
    }

    function _setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) private {
        if (keccak256(bytes(metadataKey)) == AGENT_WALLET_HASH) revert ReservedKey(metadataKey);
        _metadata[agentId][metadataKey] = metadataValue;
        emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
    }

    /* WALLET */

    /// @inheritdoc IIdentityRegistry
    function getAgentWallet(uint256 agentId) external view returns (address) {
        return _wallets[agentId];
    }

    /// @inheritdoc IIdentityRegistry
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external {
        address owner = _requireAuthorized(agentId);
        if (newWallet == address(0)) revert BadWallet(newWallet);
        if (block.timestamp > deadline) revert Expired(deadline, block.timestamp);
        uint256 latest = block.timestamp + MAX_DEADLINE_DELAY;
        if (deadline > latest) revert DeadlineTooFar(deadline, latest);

        bytes32 digest =
            _hashTypedDataV4(keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, owner, deadline)));
        // A wallet under EIP-7702 has code and still signs with its key, so the key is asked before the code.
        if (!_isSignedBy(newWallet, digest, signature)) {
            if (!SignatureChecker.isValidERC1271SignatureNow(newWallet, digest, signature)) {
                revert InvalidWalletSignature(agentId, newWallet);
            }
        }
        _wallets[agentId] = newWallet;
        emit MetadataSet(agentId, AGENT_WALLET, AGENT_WALLET, abi.encodePacked(newWallet));
    }

    /// @inheritdoc IIdentityRegistry
    function unsetAgentWallet(uint256 agentId) external {
        _requireAuthorized(agentId);
        _clearWallet(agentId);
    }

    function _clearWallet(uint256 agentId) private {
        delete _wallets[agentId];
        emit MetadataSet(agentId, AGENT_WALLET, AGENT_WALLET, "");
    }

    function _isSignedBy(address signer, bytes32 digest, bytes calldata signature) private pure returns (bool) {
        (address recovered, ECDSA.RecoverError failed,) = ECDSA.tryRecover(digest, signature);
        return failed == ECDSA.RecoverError.NoError && recovered == signer;
    }

    /* TOKEN */

    /// @inheritdoc IIdentityRegistry
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(_requireOwned(agentId), spender, agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, IERC165) returns (bool) {
        return interfaceId == bytes4(0x49064906) || super.supportsInterface(interfaceId);
    }

    /// @dev A wallet is proved by an owner, so it falls with him: cleared before the token moves, not at mint.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        if (_ownerOf(agentId) != address(0)) _clearWallet(agentId);
        return super._update(to, agentId, auth);
    }

    function _requireAuthorized(uint256 agentId) private view returns (address owner) {
        owner = _requireOwned(agentId);
        if (!_isAuthorized(owner, msg.sender, agentId)) revert NotAuthorized(agentId, msg.sender);
    }
}
