// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// isValidSignature returns 32 bytes that begin with the magic value and go on with something else.
contract WalletGarbage {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes32) {
        return bytes32(bytes4(0x1626ba7e)) | bytes32(uint256(0xdeadbeef));
    }
}
