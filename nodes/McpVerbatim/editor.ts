import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { noticeText } from '../notice.js';
import { aboutPrompt } from './prompt/about.js';
import { aboutTool } from './tool/about.js';
import { toolFields } from './tool/form.js';

/** What the editor asks for while a tool or a prompt is being set up. */
export const resourceMapping = {
  async getToolFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return { fields: await toolFields(this) };
  },

  async getToolNotice(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return noticeText(await aboutTool(this));
  },

  async getPromptNotice(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return noticeText(await aboutPrompt(this));
  },
};
