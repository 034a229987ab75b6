/** The end of a session that its person wanted: this browser may be used by others next. */
import { forgetSecrets, secretDrafts } from './gates/drafts.ts'
import { root } from './model.ts'

/** Does nothing where the person rather stays. Errors: those of the change. */
export async function leaveAfter(change: () => Promise<unknown>): Promise<void> {
  const secret = secretDrafts()
  const question =
    'You have drafts of gates here. The texts of their rewards are erased from this browser, the rest of them stays. Sign out?'
  if (secret.length > 0 && !confirm(question)) return
  await change()
  for (const draft of secret) forgetSecrets(draft)
  location.assign(root.href)
}
