/** The end of a session that its person wanted: this browser may be used by others next. */
import { dashboard as words } from '../../words/en/dashboard.ts'
import { forgetForms } from '../person-here.ts'
import { forgetSecrets, listSecretDrafts } from './gates/drafts.ts'
import { root } from './model.ts'

/** Does nothing where the person rather stays. `tell` says first what the person must know. Errors: those of the change. */
export async function leaveAfter<Done>(
  change: () => Promise<Done>,
  tell?: (done: Done) => Promise<void> | undefined,
): Promise<void> {
  const secret = listSecretDrafts()
  if (secret.length > 0 && !confirm(words.leaveDrafts)) return
  const done = await change()
  for (const draft of secret) forgetSecrets(draft)
  forgetForms()
  await tell?.(done)
  location.assign(root.href)
}
