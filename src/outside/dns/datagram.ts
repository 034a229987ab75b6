/** A question over UDP, and over TCP when the answer does not fit. */
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Attempt, makeUnreachableError } from './attempt.ts'
import { type Answer, makeRandomId, type Query, type Question, queryBytes, readAnswer } from './message.ts'
import type { NameServer } from './name-server.ts'
import { askOverStream } from './stream.ts'

/** Packets get lost. The same packet is sent again: a second one with a new id would double a forger's chance. */
const sentAgainAfterMs = 1000

/** Errors: OutsideError. Without an answer it ends with the attempt. */
export async function askNameServer(server: NameServer, question: Question, attempt: Attempt): Promise<Answer> {
  const query = { ...question, id: makeRandomId() }
  const answer = await askOverDatagram(server, query, attempt)
  return answer.isTruncated ? askOverStream(server, query, attempt) : answer
}

/**
 * The socket is connected, so the kernel drops packets of all other senders. It is new for each question, so its port
 * is as hard to guess as the id (RFC 5452). Other packets from the resolver are skipped: failing on them would let one
 * forged packet end a question.
 */
async function askOverDatagram({ host, port }: NameServer, query: Query, attempt: Attempt): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  let again: Timer | undefined
  attempt.signal.addEventListener('abort', reject)
  socket.on('error', () => reject(makeUnreachableError(attempt)))
  socket.on('message', (bytes) => {
    const answer = readAnswer(query, bytes)
    if (answer) resolve(answer)
    else attempt.ignore()
  })
  socket.connect(port, host, () => {
    const send = (): void => socket.send(queryBytes(query))
    again = setInterval(send, sentAgainAfterMs)
    send()
  })
  try {
    return await promise
  } finally {
    clearInterval(again)
    socket.close()
  }
}
