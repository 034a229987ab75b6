// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

interface Earlier {
    struct ProofVerificationData {
        bytes32 vkeyHash;
        bytes proof;
        bytes32[] publicInputs;
    }

    struct ServiceConfig {
        uint256 validityPeriodInSeconds;
        string domain;
        string scope;
        bool devMode;
    }

    struct ProofVerificationParams {
        bytes32 version;
        ProofVerificationData proofVerificationData;
        bytes committedInputs;
        ServiceConfig serviceConfig;
    }

    function verify(ProofVerificationParams calldata params) external view returns (bool, bytes32, address);
}

/// The later form of the call, which names a key for salted identifiers; all else is asked of the earlier one.
contract ZkPassportVerifierLater {
    struct LaterServiceConfig {
        uint256 validityPeriodInSeconds;
        string domain;
        string scope;
        bool devMode;
        bytes32 oprfPubKeyHash;
    }

    struct LaterParams {
        bytes32 version;
        Earlier.ProofVerificationData proofVerificationData;
        bytes committedInputs;
        LaterServiceConfig serviceConfig;
    }

    Earlier private immutable earlier;

    constructor(address first) {
        earlier = Earlier(first);
    }

    function verify(LaterParams calldata params) external view returns (bool, bytes32, address) {
        require(params.serviceConfig.oprfPubKeyHash == 0, "Unknown key");
        LaterServiceConfig calldata config = params.serviceConfig;
        Earlier.ProofVerificationParams memory asked;
        asked.version = params.version;
        asked.proofVerificationData = params.proofVerificationData;
        asked.committedInputs = params.committedInputs;
        asked.serviceConfig.validityPeriodInSeconds = config.validityPeriodInSeconds;
        asked.serviceConfig.domain = config.domain;
        asked.serviceConfig.scope = config.scope;
        asked.serviceConfig.devMode = config.devMode;
        return earlier.verify(asked);
    }
}
