import { Module } from '@nestjs/common';
import { Assignment } from './assignment.service';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({ controllers: [UsersController], providers: [UsersService, Assignment], exports: [UsersService, Assignment] })
export class UsersModule {}
