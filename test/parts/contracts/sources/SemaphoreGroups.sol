// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// What a Semaphore v4 contract says of its groups.
contract SemaphoreGroups {
    error Semaphore__GroupDoesNotExist();

    mapping(uint256 => bool) private exists;
    mapping(uint256 => uint256) private roots;

    function set(uint256 groupId, uint256 root) external {
        exists[groupId] = true;
        roots[groupId] = root;
    }

    function getMerkleTreeRoot(uint256 groupId) external view returns (uint256) {
        if (!exists[groupId]) revert Semaphore__GroupDoesNotExist();
        return roots[groupId];
    }
}
