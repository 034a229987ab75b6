// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// isValidSignature reverts with a reason.
contract WalletReverting {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert("no");
    }
}
