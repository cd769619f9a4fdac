import { Global, Module } from '@nestjs/common';
import { Deliveries } from './deliveries';

/** Messages to others that are tried until they arrive or have failed. */
@Global()
@Module({ providers: [Deliveries], exports: [Deliveries] })
export class DeliveryModule {}
