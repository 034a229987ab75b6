// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Every call meets an invalid instruction, as a failed assert of old compilers does.
contract InvalidOpcode {
    fallback() external {
        assembly {
            invalid()
        }
    }
}
