/**
 * The words of the pages in English, in one file for each script: a browser loads the words of its page only. The
 * folders of the other languages hold the same. A function takes what is filled in; where that is an element, it
 * returns the parts of the sentence in order.
 */
export * from './en/account.ts'
export * from './en/agent.ts'
export * from './en/checkout.ts'
export * from './en/consent.ts'
export * from './en/copying.ts'
export * from './en/dashboard.ts'
export * from './en/errors.ts'
export * from './en/gate-form.ts'
export * from './en/gate-workspace.ts'
export * from './en/gates.ts'
export * from './en/operator-link.ts'
export * from './en/pages.ts'
export * from './en/payments.ts'
export * from './en/proof.ts'
export * from './en/provider.ts'
export * from './en/receipt.ts'
export * from './en/scopes.ts'
export * from './en/sign-in.ts'
export * from './en/vault.ts'
export * from './en/verify.ts'
export * from './en/wallets.ts'
export * from './en/widget-page.ts'
