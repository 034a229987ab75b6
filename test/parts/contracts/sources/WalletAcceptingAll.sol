// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// isValidSignature says yes to everything.
contract WalletAcceptingAll {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}
