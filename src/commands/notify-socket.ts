/**
 * The socket of the service manager (sd_notify): NOTIFY_SOCKET names it, and each datagram has lines `NAME=value`. Bun
 * has no such sockets, so the C library opens it. On Linux only.
 */
import { FFIType } from 'bun:ffi'
import { openCLibrary } from './c-library.ts'

export interface NotifySocket {
  /** Whether the manager got it. Waits for nothing. */
  send(lines: readonly string[]): boolean
}

/** Constants of Linux, equal on x64 and arm64. */
const linux = { AF_UNIX: 1, SOCK_DGRAM: 2, SOCK_CLOEXEC: 0o2000000, MSG_DONTWAIT: 0x40, MSG_NOSIGNAL: 0x4000 }
/** Bytes of `sun_path`, and the family before it. */
const longestPath = 108
const familyBytes = 2

/** `address`: a path, or `@` and an abstract name. Undefined where no such socket can be opened. */
export function openNotifySocket(address: string): NotifySocket | undefined {
  const target = process.platform === 'linux' ? writeSocketAddress(address) : undefined
  const system = target && openCLibrary(functions)
  const socket = system?.socket(linux.AF_UNIX, linux.SOCK_DGRAM | linux.SOCK_CLOEXEC, 0) ?? -1
  if (!system || !target || socket < 0) return undefined
  return {
    send(lines) {
      const message = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
      const flags = linux.MSG_DONTWAIT | linux.MSG_NOSIGNAL
      return Number(system.sendto(socket, message, message.length, flags, target, target.length)) === message.length
    },
  }
}

const functions = {
  socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  sendto: {
    args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
    returns: FFIType.i64,
  },
} as const

/** `struct sockaddr_un`. The family is in the byte order of the machine, which is little-endian on each that we build for. */
function writeSocketAddress(address: string): Uint8Array | undefined {
  const path = Buffer.from(address)
  const isAbstract = address.startsWith('@')
  // A path ends with a zero byte, and an abstract name begins with one.
  const length = isAbstract ? path.length : path.length + 1
  if ((!isAbstract && !address.startsWith('/')) || length > longestPath) return undefined
  const bytes = new Uint8Array(familyBytes + length)
  bytes[0] = linux.AF_UNIX
  bytes.set(path, familyBytes)
  if (isAbstract) bytes[familyBytes] = 0
  return bytes
}
