// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Answers no call: it uses up whatever gas there is.
contract BurnsGas {
    fallback() external {
        assembly {
            for {} 1 {} {}
        }
    }
}
