/** A question over TCP (RFC 7766): each message is preceded by its length in two bytes, which also bounds it. */
import { connect } from 'node:net'
import { type Attempt, makeMalformedError, makeUnreachableError } from './attempt.ts'
import { type Answer, type Query, queryBytes, readAnswer } from './message.ts'
import type { NameServer } from './name-server.ts'

const lengthBytes = 2

/** Errors: OutsideError. */
export async function askOverStream({ host, port }: NameServer, query: Query, attempt: Attempt): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const socket = connect(port, host)
  attempt.signal.addEventListener('abort', reject)
  let received = Buffer.alloc(0)
  socket.on('connect', () => socket.write(frameMessage(queryBytes(query))))
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    if (received.length < lengthBytes) return
    const end = lengthBytes + received.readUInt16BE(0)
    if (received.length >= end) resolve(received.subarray(lengthBytes, end))
  })
  socket.on('error', () => reject(makeUnreachableError(attempt)))
  socket.on('close', () => reject(makeUnreachableError(attempt, 'broke off its answer over TCP')))
  try {
    const answer = readAnswer(query, await promise)
    if (!answer || answer.isTruncated) throw makeMalformedError(attempt, 'answered something else over TCP')
    return answer
  } finally {
    socket.destroy()
  }
}

function frameMessage(message: Uint8Array): Uint8Array {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}
