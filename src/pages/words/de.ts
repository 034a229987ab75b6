/** Die Wörter der Seiten auf Deutsch, mit denselben Namen wie in en/. */
export * from './de/copying.ts'
export * from './de/gates.ts'
export * from './de/pages.ts'
export * from './de/proof.ts'
export * from './de/receipt.ts'
export * from './de/sign-in.ts'
export * from './de/verify.ts'
export * from './de/wallets.ts'
