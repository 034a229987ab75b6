// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Answers every call with 2 MiB of zeros, which costs 8.6 million gas.
contract Returns2Megabytes {
    fallback() external {
        assembly {
            return(0, 0x200000)
        }
    }
}
