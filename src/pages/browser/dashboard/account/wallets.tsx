import { Heading } from '../parts.tsx'

export const Wallets = () => <Heading title="Wallets" />
