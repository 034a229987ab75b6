// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Answers every call with 100 bytes of 0xab: no address, no number that makes sense, no boolean.
contract ReturnsGarbage {
    fallback() external {
        assembly {
            for { let at := 0 } lt(at, 100) { at := add(at, 1) } { mstore8(at, 0xab) }
            return(0, 100)
        }
    }
}
