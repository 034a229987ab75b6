/**
 * A JSON pointer (RFC 6901) as people write the same place: `/checks/0/address` is `checks[0].address`. The names stand
 * below `base`.
 */
export function nameMember(pointer: string, base = ''): string {
  let name = base
  for (const token of pointer.split('/').slice(1)) {
    const member = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(token) && name !== '') name += `[${token}]`
    else name += name === '' ? member : `.${member}`
  }
  return name.length <= longest ? name : `${name.slice(0, longest)}…`
}

/** A name is made of member names that the caller chose. */
const longest = 300
