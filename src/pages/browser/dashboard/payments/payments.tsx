import { Heading } from '../parts.tsx'

export const Payments = () => <Heading title="Payments" />
