// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Answers every call with one byte less than a word.
contract Returns31Bytes {
    fallback() external {
        assembly {
            return(0, 31)
        }
    }
}
