/**
 * Checks a portable proof of an EVM wallet with ethers and node:crypto, and nothing of Proofgate:
 *
 *   node test/independent/verify-ethers.mjs proof.json
 */
import { verifyMessage } from 'ethers'
import { isEvm, judge } from './rules.mjs'

judge((proof, text) => {
  if (!isEvm(proof) || proof.signatureMethod !== 'eip191') return false
  try {
    return verifyMessage(text, proof.signature).toLowerCase() === proof.walletAddress.toLowerCase()
  } catch {
    // A text without the form of a signature has no signer.
    return false
  }
})
