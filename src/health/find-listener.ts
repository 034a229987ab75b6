/** Finds the program that listens at an address of this machine, for the message that a port is taken. */
import { get, type IncomingMessage } from 'node:http'

const timeoutMs = 2000
/** /live is 100 bytes. A stranger on the port must not fill the memory. */
const answerLimit = 4096

/** The version of the Proofgate at `baseUrl`, or undefined where no Proofgate answers in time. */
export async function findProofgateVersion(baseUrl: string): Promise<string | undefined> {
  try {
    const answer = JSON.parse(await getText(`${baseUrl}/api/v1/health/live`)) as Record<string, unknown> | null
    const version = answer?.alive === true ? answer.version : undefined
    // Printed on a terminal, so nothing but what a version consists of.
    return typeof version === 'string' && /^[0-9A-Za-z.+-]{1,40}$/.test(version) ? version : undefined
  } catch {
    return undefined
  }
}

/** Without fetch, which would ask the proxy of the environment for the way to this very machine. */
async function getText(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { signal: AbortSignal.timeout(timeoutMs), agent: false }, resolve).on('error', reject)
  const response = await promise
  let text = ''
  for await (const chunk of response) {
    text += chunk
    // Leaving the loop ends the connection.
    if (text.length > answerLimit) break
  }
  return text
}
