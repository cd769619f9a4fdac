import { Global, Module } from '@nestjs/common';
import { ServiceAddress } from '../http/service-address';
import { PublicLinks } from './public-links';
import { SecretBox } from './secret-box';

@Global()
@Module({ providers: [SecretBox, ServiceAddress, PublicLinks], exports: [SecretBox, ServiceAddress, PublicLinks] })
export class SecretsModule {}
