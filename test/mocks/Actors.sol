// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

/// @title A contract that acts for somebody: signs by ERC-1271, calls out, takes native coin and NFTs as it pleases
contract ContractWallet {
    mapping(bytes32 digest => bool) public signed;
    bool public takesNfts;
    bool public takesNative;

    /// @dev Everything this wallet signs looks like this: not 65 bytes, so nobody takes it for ECDSA.
    bytes public constant SIGNATURE = "by contract";

    constructor(bool takesNfts_, bool takesNative_) {
        (takesNfts, takesNative) = (takesNfts_, takesNative_);
    }

    receive() external payable {
        require(takesNative, "no native coin");
    }

    function sign(bytes32 digest) external {
        signed[digest] = true;
    }

    function isValidSignature(bytes32 digest, bytes calldata) external view returns (bytes4) {
        return signed[digest] ? this.isValidSignature.selector : bytes4(0);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external view returns (bytes4) {
        return takesNfts ? this.onERC721Received.selector : bytes4(0);
    }

    /// @dev Calls as this wallet and passes a refusal on.
    function act(address target, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory answer) = target.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }
}
