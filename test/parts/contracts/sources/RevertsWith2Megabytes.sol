// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Refuses every call, with a reason of 2 MiB.
contract RevertsWith2Megabytes {
    fallback() external {
        assembly {
            revert(0, 0x200000)
        }
    }
}
