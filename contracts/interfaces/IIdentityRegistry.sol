// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title ERC-8004 Identity Registry: what the suite calls and what clients of the standard expect (L-010, L-011)
interface IIdentityRegistry {
    /// @notice One metadata entry given at registration.
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /// @notice An agent was registered. Names and indexing are the standard's.
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    /// @notice A metadata key was written; the indexed string is there for topic filters, its twin to be read.
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    /// @notice The registration file moved.
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /// @notice The caller is neither owner nor operator nor approved for the agent.
    error NotAuthorized(uint256 agentId, address caller);
    /// @notice `agentWallet` is written by `setAgentWallet` and `unsetAgentWallet` alone.
    error ReservedKey(string metadataKey);
    /// @notice A wallet to link must not be the zero address.
    error BadWallet(address wallet);
    /// @notice The proof of the wallet has run out.
    error Expired(uint256 deadline, uint256 time);
    /// @notice The proof would stand for longer than the standard's five minutes.
    error DeadlineTooFar(uint256 deadline, uint256 latest);
    /// @notice The wallet did not sign this link.
    error InvalidWalletSignature(uint256 agentId, address wallet);

    /// @notice Registers an agent to the caller, with no file and no metadata but its wallet, the caller.
    function register() external returns (uint256 agentId);
    /// @notice Registers an agent to the caller, with a registration file.
    function register(string calldata agentURI) external returns (uint256 agentId);
    /// @notice Registers an agent to the caller, with a registration file and metadata.
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId);

    /// @notice Points the agent at another registration file.
    function setAgentURI(uint256 agentId, string calldata newURI) external;
    /// @notice What is stored under a key, empty when unset. Never reverts.
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory);
    /// @notice Stores a value under any key but `agentWallet`.
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /// @notice The wallet the agent proved, zero when unset or unknown.
    function getAgentWallet(uint256 agentId) external view returns (address);
    /// @notice Links `newWallet`, which signs `AgentWalletSet(agentId,newWallet,owner,deadline)`.
    /// @dev ECDSA first, then ERC-1271. now <= deadline <= now + 5 minutes. As in the standard's deployment there is no
    /// nonce: a proof may be used again until its deadline, by the same owner only.
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external;
    /// @notice Unlinks the wallet.
    function unsetAgentWallet(uint256 agentId) external;
    /// @notice Whether `spender` is owner, operator or approved. Reverts for an unknown agent.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
    /// @notice The version of the deployed standard whose behaviour this is.
    function getVersion() external pure returns (string memory);
}
