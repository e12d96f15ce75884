// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.30;

import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {ERC20} from "solady/tokens/ERC20.sol";

import {IUsdc} from "contracts/interfaces/IUsdc.sol";

/// @title USDC as the suite meets it: six decimals, a block list, a pause, EIP-2612 and EIP-3009
/// @dev Signatures go through the ERC-20's domain ("USD Coin", "2"). Reverts carry typed errors where the real token
/// carries strings.
contract MockUsdc is ERC20, IUsdc {
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    error Blocked(address account);
    error Paused();
    error AuthorizationUsed(address from, bytes32 nonce);
    error AuthorizationNotYetValid();
    error AuthorizationExpired();
    error CallerNotPayee();
    error BadSignature();

    mapping(address account => bool) public isBlocked;
    mapping(address from => mapping(bytes32 nonce => bool)) public authorizationState;
    bool public paused;

    function name() public pure override returns (string memory) {
        return "USD Coin";
    }

    function symbol() public pure override returns (string memory) {
        return "USDC";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function version() external pure returns (string memory) {
        return "2";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    /// @dev The digest a holder signs for `receiveWithAuthorization`.
    function receiveDigest(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce
    ) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce)));
    }

    /// @dev The digest a holder signs for `permit`, with the present nonce.
    function permitDigest(address owner, address spender, uint256 value, uint256 deadline)
        public
        view
        returns (bytes32)
    {
        return _digest(keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces(owner), deadline)));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _receive(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        _receive(from, to, value, validAfter, validBefore, nonce, signature);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
        override(ERC20, IUsdc)
    {
        super.permit(owner, spender, value, deadline, v, r, s);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature)
        external
    {
        if (block.timestamp > deadline) revert PermitExpired();
        bytes32 digest = permitDigest(owner, spender, value, deadline);
        if (!SignatureCheckerLib.isValidSignatureNow(owner, digest, signature)) revert BadSignature();
        _incrementNonce(owner);
        _approve(owner, spender, value);
    }

    function _receive(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) private {
        if (msg.sender != to) revert CallerNotPayee();
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid();
        if (block.timestamp >= validBefore) revert AuthorizationExpired();
        if (authorizationState[from][nonce]) revert AuthorizationUsed(from, nonce);
        bytes32 digest = receiveDigest(from, to, value, validAfter, validBefore, nonce);
        if (!SignatureCheckerLib.isValidSignatureNow(from, digest, signature)) revert BadSignature();
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), structHash));
    }

    function _versionHash() internal pure override returns (bytes32) {
        return keccak256("2");
    }

    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }

    function _beforeTokenTransfer(address from, address to, uint256) internal view override {
        if (paused) revert Paused();
        if (isBlocked[from]) revert Blocked(from);
        if (isBlocked[to]) revert Blocked(to);
    }
}
