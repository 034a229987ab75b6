import type { Parts } from '../parts.ts'
import type { VerifierTools } from '../verifiers/verifier.ts'

/** The tools that verifiers may use. */
export const makeVerifierTools = (parts: Parts): VerifierTools => ({
  now: parts.now(),
  verifySignature: parts.verifySignature,
  outside: parts.outside,
  settings: parts.verifierSettings,
  readSocialToken: parts.readSocialToken,
  get domain() {
    return new URL(parts.addresses().authUrl).hostname
  },
  saltedHash: parts.sealer.mac,
})
