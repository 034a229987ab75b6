/** The words that name how an account signed. Clients spell them in several ways. */

/** Whether the word names the signature of the key of an EVM account. */
export const isKeyMethod = (method: string): boolean => /^(eip-?191|personal_sign)$/i.test(method)

/** Whether the word names the signature of a contract wallet. */
export const isContractMethod = (method = ''): boolean => /^eip-?(1271|6492)$/i.test(method)
