import type { INestApplicationContext } from '@nestjs/common';
import { LogoService } from '../../areas/workspace/logo/logo.service';
import { WorkspaceService } from '../../areas/workspace/workspace.service';

/** A headset and a name, 252 by 80 pixels. */
const LOGO = {
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAPwAAABQCAMAAAAKq+jAAAACfFBMVEVMaXEfIzAAAAAXLi4AC1IgIzAfIy8eJDEfJDAfJDAeIy8iX8AfJDEcIzIaKSkAWqUc' +
      'KiofJC8ZGTMfJDAfX78cHDgeX78fIzAeIy8fIzAeJS0eXr8fIy8aXL4eIy8dIzAkJCQeIzAcIi0fX74eIy8fIy8eIzAgJC8eJDAeIzAfJC8fIy4eJC8fIy8e' +
      'Xr4eXr4eIy8fXr8AAAAfIy8fHz8fIzAeJC8eIy8eJDAeXr4gXr4fX78eJC8eJC8cXb4fXr8eXcAeIzAeXr4eIzAjIy8eIy0eIy8eIy8fX78dIy8eJC8fIy8e' +
      'Xr4eXr4sLCwZJjMeX74fJDAfJC8fXr8eX78hISwcIy8eIy8dIy8eJC8fYL0eX74eXb4fXr4fIi8gJTAfIzEeXr4eIzAeJC8fXr8dJDAeJC8eX78fXr8eYL0e' +
      'JC8dJzIeIy8eJC8eXr8fJDAAP78dIzEeIzAeXr4eJDAeJC4eIy8fIzAfIy8eIy8fXsAfXr8fIy8eJDAfIy8fXr8eJC8eIy8fIy8eXr8kJDYeIzAeIzAeJDAf' +
      'X78fJDD///8jYsA4ccb09/yWtOGIqt0gYL/z9vt/o9p7otqzyen9/v6lvuW2y+oiYcCLrN7b5fVBd8nw9PsvasR+o9rv9PokY8GTsuDm7fidueNkkdPE1e5m' +
      'ktNUhc+0yupCeMmyyOn8/f7L2vCpwuZdjNEybcVJfcvt8vq5zetij9L6+/37/P6/0e3k7PfQ3vKjveVrldVHe8rG1u+ApNv2+Pz4+v2Vs+G8z+yJq912ndig' +
      'u+RHfMtSg85gjdLW4vPs8fn1+PyGqNyCpts8dMff6Pbe5/XN2/FQgs13nthejNEdkcuDAAAAiHRSTlMA9AILA0+cU/796xU4IwwCEs0KacwJ+eTy8yHYkQnC' +
      'RAfOLP6lgPk1f52ScuLtRcbQxAFQCLJ3bO/PZ+xasCOkII5qrRUy/LoIK3zd1+sFFKbD9s3JFyWnHPBallaaUS85+vjaWG+3mNVC6BnXYlu9BE502o1Lh1iD' +
      'x0icrITl7eDWQKUOyJ4qmZnOpAAAAAlwSFlzAAALEwAACxMBAJqcGAAABe1JREFUeNrtm/dbFEcYx4fj4ABp0nuVIkYURBBQQJpgADGoUaMmthiTaGKaxphI' +
      'qrtw0quoMRFQTKISo1jSe6//UNwyC7s7s2X2ebjbdb+/cPu+M8t+bmfmfaccALZs2bJly5atB0YV1a2lJ3dTCtpdXtpaXWE98ucPL6M0qmB7mLXYj79I6VBi' +
      'voXQk1+jdGpnslXYF7RRuhW1wCLsiRSBEi1Bn9xGESmqwQLwuP7eMzXZ193dNznVgylwwPzs+UiwzvGB6Q5e01dudCILHTd9fEfFuAt9H3aINHMehd9k9nh/' +
      'GAF16UyHTGd+RBTcZ3J4eV7XM/pRB0Kf/YvI9Uyez8uARj6BuKcn7nR13Zk4Da8vjkjLZlaZGr5a9t559sHhq3w37/xveJCnl31TZaaGb5XijHKcH9+ba/zh' +
      'b876nbR0panhS6VjHdffP5C08M4hrt//I010vBLKmeHaX1y835XhVC5XLolx3Dh/Xj62/cY6bksSnmbcfek5Clj60MbFkRkqpWYl96dKK6bKy0JFrF4TB71x' +
      'a1ZHKMDHiGH6uPeOymi4d39XbIzRAs/r4fWbSeEXForrFb6Lgw/NDRLfLCjXFwsvad0zbH8fQeZ8txnfn5JkRwc8TT/yegQZPO0S13PRGHi/N+S3i/XTBj/O' +
      'jvP30Kn8JfbV3zAAT9PPPk4Gv1fUe51vouGdeegb5jm1wA8weMO4adw3jPeKIXg6LpUInj40t9ohGgmfthL3X1emqcP3sHOZqzj4nxjvLz2G4GmfHCL42OhZ' +
      'a1E7Et5Rg/2ndI1DFX6Kzes6cfAXfmX8Y8bg6dhwEnh6yax1CbIsOEYrKEsVfpKBm8AvX3zO+Md1wTOfo7cGv/Dc7HMsRpdS+QqD3hEG9KeR8MGBgjHe3xXi' +
      '6xvi8o8XTIHBavBsoBvCww/JcwAt8KxyXhWeI4MEfvbdZSFbiWO5kFYkbYDG2qQAaE13qMCPYoM8p68Z/7dk8KDoUWjzJ4KPr+VsG+KQ8EL08xFFNj8fTLRE' +
      'w/88hmN3s+nf94TwIG0hfLxoEnh6LWdbix4fNsJ2JYnqK2BvSFGGd59lI/lZN4b9fdb9lZsQHtRB48tE8NkJjGnrHiR8AmzfL0nvAb+sgARF+GF+3n4ZDY90' +
      '64EHKbzxFSJ4bqR8Dx0ZIvnrVeHSe4Sv4l2RivBw1aIXDY9064KHMepJxVCHha8/BcCWenThRbLxRJA/71qkCC+sWKHhkW5d8E/AeQoZPH0CgBpM4XT+GpHH' +
      'r4DjvWfhn+GN7Xrh1/F/g3MCxAahMJzLhcgfZQvMFDwLXwRnd3rh6yAzDx1QJy2czV8j5q+hcMD0LHw0jHV64YUuLXRfHHwoHn6PSZs9SMgWBb0QYL5mTzzg' +
      'ASCaqefJ7+/9Ax421KnfpXZOUhu/WV7T+0MdcZIjns7kImp6fZJDnt6KJrJBoYiahtPbT3m6ATQ80j0/Exvmcwm8KEHWTDE4sRnjJjbTmIkN7/7SPf9TWuZz' +
      'y15+BbwFWdPwlNZ9ubejd8CNm9L+wTb8fqOLGfUZRPDgKPf5KLqmI11lMaNQbfVWUdyW1eA1DyxjcTsVbLdZ7sDUNLqMhdS5/m5WF/9iW/0tygMLmNzVW3N2' +
      'rhBfW5bSAmYuIIE/NyM6onDzOuWBpWtNA6rS0vUJBxF8v/h8Rh/liU0LbaFUYdOiRctGpQr8zS8o8o1KA9tVGpMo3HZVklPTFrVisx+8dV3qbda3UXmMcKNS' +
      'IzwAR2IRg8wRrYcTUANeF6vf715DnMKcny1qzfDAV7ZFvR6/Rf02ZUiVWuADl7bfP5zQaOBwgnZ49nDCNujdpnw4odoYvHceSHI27iopLi7Z1ahyLKUi0wi7' +
      'yY+igWVG4E1+CBFsNwK/w+TwYYnk7E+FWfPIuSYdBKbXTlL2x4AFfmYSRca+qeHB/YFRk1V+XrWJ4L1bhP1+yz+gu783AOsov0lXjDsILKWwfQUaM93Mgh0W' +
      '+yExo6qyyrZyxdWNmOaoyrIqYMuWLVu2bNmy5cX6H9puf5sn0HySAAAAAElFTkSuQmCC',
    'base64',
  ),
  width: 252,
  height: 80,
};

const SETTINGS = {
  brand_color: '#1f5fbf',
  brand_address: 'Demo Support\nHauptstraße 12\n10827 Berlin',
  brand_website: 'https://support.example.com',
  mail_signature: 'Demo Support · support.example.com',
};

/** What the demo workspace looks like to its customers. Inside a unit of work of the workspace. */
export async function addDemoBrand(app: INestApplicationContext): Promise<void> {
  await app.get(WorkspaceService).update({ settings: SETTINGS }, null);
  await app.get(LogoService).keep(LOGO);
}
