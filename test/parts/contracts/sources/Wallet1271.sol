// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A contract wallet of one key: what the key has signed, the wallet has signed.
contract Wallet1271 is IERC1271 {
    address public signer;

    constructor(address signer_) {
        signer = signer_;
    }

    /// Takes the wallet away from its key: signatures that were good no longer are.
    function setSigner(address signer_) external {
        signer = signer_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError problem,) = ECDSA.tryRecover(hash, signature);
        return problem == ECDSA.RecoverError.NoError && recovered == signer ? this.isValidSignature.selector : bytes4(0);
    }
}
