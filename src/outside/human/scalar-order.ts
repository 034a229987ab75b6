/**
 * The order of the groups of BN254 (EIP-197), which World ID and Semaphore prove over. Public inputs are below it, or
 * one proof would stand for several inputs. It is apart from the curve, which takes time to load.
 */
export const scalarOrder = 21888242871839275222246405745257275088548364400416034343698204186575808495617n
