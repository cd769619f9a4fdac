import { Global, Module } from '@nestjs/common';
import { PublicLinks } from './public-links';
import { SecretBox } from './secret-box';

@Global()
@Module({ providers: [SecretBox, PublicLinks], exports: [SecretBox, PublicLinks] })
export class SecretsModule {}
