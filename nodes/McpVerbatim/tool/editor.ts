import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { noticeText } from '../../notice.js';
import { aboutTool } from './about.js';
import { toolFields } from './form.js';

/** What the editor asks for while a tool's arguments are filled in. */
export const resourceMapping = {
  async getToolFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return { fields: await toolFields(this) };
  },

  async getToolNotice(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
    return noticeText(await aboutTool(this));
  },
};
