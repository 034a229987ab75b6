// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Has the ABI of ZKPassport's root verifier, and its checks around the proof. In place of the proof system stands a list
/// of proofs that count as valid. It is its own registry and helper.
contract ZkPassportVerifier {
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

    mapping(bytes32 => bool) public isProof;
    mapping(bytes32 => mapping(bytes32 => bool)) private roots;
    bool public saysFalse;
    bool public burnsGas;

    function addProof(bytes32 vkeyHash, bytes calldata proof, bytes32[] calldata publicInputs) external {
        isProof[keccak256(abi.encode(vkeyHash, proof, publicInputs))] = true;
    }

    function setRoot(bytes32 registryId, bytes32 root, bool valid) external {
        roots[registryId][root] = valid;
    }

    function behave(bool falsely, bool greedily) external {
        saysFalse = falsely;
        burnsGas = greedily;
    }

    function rootRegistry() external view returns (address) {
        return address(this);
    }

    function isRootValid(bytes32 registryId, bytes32 root, uint256) external view returns (bool) {
        return roots[registryId][root];
    }

    function verify(ProofVerificationParams calldata params)
        external
        view
        returns (bool valid, bytes32 uniqueIdentifier, address helper)
    {
        while (burnsGas) {}
        ProofVerificationData calldata data = params.proofVerificationData;
        bytes32[] calldata inputs = data.publicInputs;
        uint256 count = inputs.length;
        require(params.version == bytes32(uint256(0x0010) << 224), "Unknown version");
        require(count >= 8, "Too few public inputs");
        require(
            block.timestamp <= uint256(inputs[2]) + params.serviceConfig.validityPeriodInSeconds,
            "The proof was generated outside the validity period"
        );
        require(inputs[3] == shifted(bytes(params.serviceConfig.domain)), "Invalid domain");
        require(inputs[4] == shifted(bytes(params.serviceConfig.scope)), "Invalid scope");
        require(uint256(inputs[count - 3]) < 2 || params.serviceConfig.devMode, "Mock passports are not allowed");
        checkCommitments(params.committedInputs, inputs);
        require(isProof[keccak256(abi.encode(data.vkeyHash, data.proof, inputs))], "SumcheckFailed");
        return (!saysFalse, inputs[count - 2], address(this));
    }

    function checkCommitments(bytes calldata committed, bytes32[] calldata inputs) private pure {
        uint256 offset = 0;
        for (uint256 index = 5; index < inputs.length - 3; index++) {
            uint256 length = 3 + uint16(bytes2(committed[offset + 1:offset + 3]));
            require(shifted(committed[offset:offset + length]) == inputs[index], "Invalid commitment");
            offset += length;
        }
        require(offset == committed.length, "Invalid committed inputs length");
    }

    function shifted(bytes memory text) private pure returns (bytes32) {
        return sha256(text) >> 8;
    }
}
